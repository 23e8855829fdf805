#!/usr/bin/env node
import module from 'node:module';
import { processIo } from './io.ts';
import { run } from './run.ts';

// Node 22 and later keep the compiled code: the second start is faster still.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();

const code = await run(process.argv.slice(2), processIo());
// An error while writing stdout sets the code too, and comes later.
process.exitCode ??= code;
