import { openSqliteLog } from '../../src/log/index.ts';
import { describeLog } from './conformance.ts';
import { freshFiles } from './folder.ts';

const fresh = freshFiles();

describeLog('in SQLite', () => openSqliteLog({ file: fresh(), create: true }));
