import type { Io } from './io.ts';

export interface Progress {
  tell(text: string): void;
  /** Wipes the line, so that what is printed next stands alone. */
  clear(): void;
}

const EVERY_MS = 100;

/** One line on stderr that is written over, where stderr is a terminal; nothing elsewhere. */
export function progressOn(io: Io): Progress {
  if (!io.progress) return { tell: () => {}, clear: () => {} };
  let last = 0;
  let shown = false;
  return {
    tell(text) {
      const now = performance.now();
      if (now - last < EVERY_MS) return;
      last = now;
      shown = true;
      io.err(`\r\u001b[K${text.slice(0, io.width - 1)}`);
    },
    clear() {
      if (shown) io.err('\r\u001b[K');
      shown = false;
    },
  };
}
