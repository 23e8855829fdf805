/** One message a line; a longer one is refused, so that a stream without line ends can't fill the memory. */
export const LONGEST_LINE = 64 * 1024 * 1024;

/**
 * Cuts a stream of bytes into lines. Bytes are decoded a line at a time, so that a character is never cut in two.
 *
 * @param take gets each line, without its end
 * @param overflow is called once where a line grows too long; what follows is thrown away
 */
export function linesOf(
  take: (line: string) => void,
  overflow: () => void,
): { push(chunk: Uint8Array): void; end(): void } {
  let held: Buffer[] = [];
  let size = 0;
  let dead = false;
  const flush = (): void => {
    const line = Buffer.concat(held).toString('utf8').replace(/\r$/, '');
    held = [];
    size = 0;
    if (line.trim() !== '') take(line);
  };
  return {
    push(chunk) {
      if (dead) return;
      let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      for (let at = rest.indexOf(10); at !== -1; at = rest.indexOf(10)) {
        held.push(rest.subarray(0, at));
        flush();
        rest = rest.subarray(at + 1);
      }
      if (rest.length === 0) return;
      held.push(Buffer.from(rest));
      size += rest.length;
      if (size <= LONGEST_LINE) return;
      dead = true;
      held = [];
      overflow();
    },
    /** What stands after the last line end is a message that broke off: it is no message. */
    end() {
      held = [];
      size = 0;
    },
  };
}
