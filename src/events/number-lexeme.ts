/**
 * Whether a JSON number says exactly what its nearest double says: its decimal value is that of the double's shortest
 * rendering. 299.00 and 1e2 are; 1915883588174806058 is not, nor is 0.1 written out to 30 digits. Integers beyond 2^53−1
 * are refused even where the double hits them: their neighbours would read the same.
 */
export function isExactNumber(lexeme: string): boolean {
  // Up to 15 digits a decimal and its double determine each other.
  if (lexeme.length <= 15 && !lexeme.includes('e') && !lexeme.includes('E')) return true;
  const double = Number(lexeme);
  if (!Number.isFinite(double)) return false;
  if (Number.isInteger(double) && !Number.isSafeInteger(double)) return false;
  const received = decimal(lexeme);
  const rendered = decimal(String(double));
  return received.digits === rendered.digits && (received.digits === '' || received.power === rendered.power);
}

/** digits × 10^power, the digits without zeros at either end; none for zero. The sign is the double's own. */
function decimal(lexeme: string): { readonly digits: string; readonly power: number } {
  const [signed = '', exponent = '0'] = lexeme.split(/[eE]/);
  const mantissa = signed.startsWith('-') ? signed.slice(1) : signed;
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  let end = all.length;
  while (end > 0 && all.charCodeAt(end - 1) === 0x30) end -= 1;
  let start = 0;
  while (start < end && all.charCodeAt(start) === 0x30) start += 1;
  return { digits: all.slice(start, end), power: Number(exponent) - fraction.length + all.length - end };
}
