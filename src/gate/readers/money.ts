import { shiftDecimal } from './decimal-text.ts';
import { type Amount, type NumberHit, scanNumbers } from './numbers.ts';
import { cutsToken, isDigit, isLetter, tokenBefore } from './tokens.ts';

const SYMBOLS = '$€£¥₩₹￥￦';
const CODES =
  'USD|EUR|GBP|JPY|KRW|CNY|RMB|INR|AUD|CAD|CHF|HKD|NZD|SGD|TWD|MXN|BRL|SEK|NOK|DKK|PLN|CZK|THB|VND|IDR|PHP|MYR|ZAR|TRY|ILS|AED|SAR';
/** "US$": the letters are part of the symbol. */
const SYMBOL_BEFORE = new RegExp(`(?:(?:US|CA|AU|NZ|HK|SG|NT|MX|A|C|R|S)(?=\\$))?[${SYMBOLS}][ \\u00a0]?$`);
const CODE_BEFORE = new RegExp(`(?:${CODES})[ \\u00a0]?$`);
const MAJOR_AFTER = new RegExp(
  `^[ \\u00a0]?(?:[${SYMBOLS}]|원|元|円|圆|엔|块|달러|유로|위안|(?:US )?(?:dollars?|bucks?|euros?|pounds?|yen|yuan|won|rupees?|francs?|pesos?)(?![a-z]))`,
  'i',
);
/** In capitals only: a `try` or a `cad` may be a word. */
const CODE_AFTER = new RegExp(`^[ \\u00a0]?(?:${CODES}|usd|eur|gbp|jpy|krw)(?![A-Za-z])`);
/** Ends in a letter of ours, or in a symbol: what goes on right there is another token. */
const MAY_GO_ON = new RegExp(`[a-z${SYMBOLS}]$`, 'i');
const MINOR_AFTER = /^[ \u00a0]?(?:¢|(?:cents?|pence|penny)(?![a-z]))/i;
const LONGEST_BEFORE = 5;
const LONGEST_AFTER = 12;

/** Where the currency before the amount starts; `start` itself if there is none, null if it is no known one. */
function symbolStart(text: string, start: number): number | null {
  const before = text.slice(start < LONGEST_BEFORE ? 0 : start - LONGEST_BEFORE, start);
  const symbol = SYMBOL_BEFORE.exec(before);
  if (symbol !== null) {
    const at = start - symbol[0].length;
    const first = text.charCodeAt(at);
    // "5$ 6": the symbol is the one of the number before.
    if (isDigit(text.charCodeAt(at - 1))) return symbol[0].endsWith('$') ? null : start;
    return tokenBefore(text, at) && (isLetter(first) || isLetter(text.charCodeAt(at - 1))) ? null : at;
  }
  const code = CODE_BEFORE.exec(before);
  if (code === null) return start;
  const at = start - code[0].length;
  return cutsToken(text, at) ? start : at;
}

interface Priced extends Amount {
  readonly unit: 'none' | 'major' | 'minor';
}

function priced(text: string, hit: NumberHit): Priced | null {
  let start = symbolStart(text, hit.start);
  if (start === null) return null;
  let decimal = hit.decimal;
  const sign = text.charCodeAt(start - 1);
  if (start < hit.start && (sign === 45 || sign === 0x2212)) {
    if (cutsToken(text, start - 1) || tokenBefore(text, start - 1) || decimal.startsWith('-')) return null;
    if (decimal !== '0') decimal = `-${decimal}`;
    start--;
  }
  const after = text.slice(hit.end, hit.end + LONGEST_AFTER);
  const minor = MINOR_AFTER.exec(after);
  const inner = { start: hit.start, end: hit.end };
  if (minor !== null) {
    if (start < hit.start) return null;
    return { start, end: hit.end + minor[0].length, decimal: shiftDecimal(decimal, -2), unit: 'minor' };
  }
  const major = MAJOR_AFTER.exec(after) ?? CODE_AFTER.exec(after);
  const end = hit.end + (major === null ? 0 : major[0].length);
  if (major !== null && MAY_GO_ON.test(major[0]) && cutsToken(text, end)) return null;
  const bare = start === hit.start && end === hit.end;
  const whole = decimal === hit.decimal;
  return { start, end, decimal, unit: bare ? 'none' : 'major', ...(bare || !whole ? {} : { inner }) };
}

const JOINS = /^(?: and|,)? *$/;
const MINOR = /^0\.[0-9]{1,2}$/;
const WHOLE = /^-?[0-9]+$/;
const UNREAD = /^ [0-9]/;

/** "5 dollars and 50 cents" is one amount; "5 dollars 50" is read as none, for it is not 5. */
export function scanMoney(text: string): readonly Amount[] {
  const found: Amount[] = [];
  const amounts = scanNumbers(text).flatMap((hit) => {
    const amount = hit.ambiguous ? null : priced(text, hit);
    return amount === null ? [] : [amount];
  });
  for (let i = 0; i < amounts.length; i++) {
    const amount = amounts[i];
    if (amount === undefined) continue;
    if (amount.unit !== 'major') {
      found.push(amount);
      continue;
    }
    const next = amounts[i + 1];
    const between = next === undefined ? null : text.slice(amount.end, next.start);
    const cents = next?.unit === 'minor' && MINOR.test(next.decimal) && WHOLE.test(amount.decimal);
    if (next !== undefined && cents && between !== null && JOINS.test(between)) {
      const { start, decimal } = amount;
      found.push({ start, end: next.end, decimal: decimal + next.decimal.slice(1) });
      i++;
    } else if (between === ' ' && next?.unit === 'none') i++;
    else if (!UNREAD.test(text.slice(amount.end, amount.end + 2))) found.push(amount);
  }
  return found;
}
