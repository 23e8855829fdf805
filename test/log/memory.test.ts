import { openMemoryLog } from '../../src/log/index.ts';
import { describeLog } from './conformance.ts';

describeLog('in memory', async () => openMemoryLog());
