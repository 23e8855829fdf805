import { importFigures } from './import.ts';
import { benchLog } from './log.ts';
import { benchReplay } from './replay.ts';

/** `npm run bench`: ratios against what the machine can do at all, measured in the same process. */
await benchLog();
await benchReplay();
const { conversations, events, cpuRatio, wallRatio, phases } = importFigures(200);
const share = (part: number): string => `${Math.round(part * 100)} %`;
console.log(
  [
    `import: ${conversations} conversations, ${events} events`,
    `  ${cpuRatio.toFixed(2)} of raw writing of the same rows by CPU, ${wallRatio.toFixed(2)} by wall time`,
    `  reading ${share(phases.reading)}, judging ${share(phases.judging)}, recording ${share(phases.recording)}`,
  ].join('\n'),
);
