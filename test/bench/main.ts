import { importFigures } from './import.ts';
import { benchLive } from './live.ts';
import { benchLog } from './log.ts';
import { benchReplay } from './replay.ts';
import { benchWhy } from './why.ts';

/** `npm run bench`: ratios against what the machine can do at all, measured in the same run. */
await benchLog();
await benchReplay();
const { conversations, events, eventsPerRun, bytesPerRun, slotsPerRun, cpuRatio, wallRatio, phases } =
  importFigures(500);
const share = (part: number): string => `${Math.round(part * 100)} %`;
const holds = (kept: boolean): string => (kept ? 'holds' : 'MISSED');
console.log(
  [
    `import: ${conversations} conversations, ${events} events`,
    `  ${wallRatio.toFixed(2)} of raw writing of the same rows by wall time (floor 0.25) ${holds(wallRatio >= 0.25)}; ${cpuRatio.toFixed(2)} by CPU`,
    `  CPU: reading ${share(phases.reading)}, judging ${share(phases.judging)}, recording ${share(phases.recording)}`,
    `  a run of ${slotsPerRun} slots: ${eventsPerRun} events, ${(bytesPerRun / 1024).toFixed(1)} KiB (at most 16) ${holds(bytesPerRun <= 16 * 1024)}`,
  ].join('\n'),
);
await benchWhy();
await benchLive();
