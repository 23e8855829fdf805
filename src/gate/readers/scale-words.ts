import { wordEnd } from './number-words.ts';
import { foldAscii } from './tokens.ts';

/**
 * Words that multiply the number before them. Those that `scaleAfter` reads are among them: where it could not read one
 * (after two spaces, or one that does not break), the number alone is not what was said. Short forms and other languages'
 * words are never read as an amount, since "m", "mil" and "bn" are not the same everywhere: the number is then no number.
 * A bare letter that may be metres, minutes, tonnes, grams or litres may as well be a scale, and is taken as one.
 */
const SCALES: ReadonlySet<string> = new Set(
  [
    'hundred hundreds thousand thousands million millions billion billions trillion trillions quadrillion dozen dozens grand',
    'k m b t g l kk mm mn mln mlns mil mill mills mio mios bn bln bil bils mrd mrds mld mlds mia md mds tn tln trn trln tril',
    'th ths thd thds tsd thsd thou thous tys tis',
    'lakh lakhs lac lacs lkh lk crore crores cr crs',
    'keur kusd kgbp kchf teur tusd tchf meur musd mgbp mchf',
    'mille mila milione milioni miliardo miliardi milliard milliards millon millones millier milliers',
    'milliarde milliarden millionen tausend hundert milhao milhoes bilhao bilhoes miljoen miljoenen miljard miljarden',
    'miljon miljoner miljarder milyon milyar bin tysiac tysiace tysiecy milion miliony milionow',
    'ribu rb juta jt miliar triliun ngan nghin trieu',
  ].flatMap((line) => line.split(' ')),
);

/** The same in other scripts, and where an accent stands within the word, by how they begin. */
const OTHER_SCALES =
  /^(?:milh[õãÕÃ]|MILH[õãÕÃ]|bilh[õãÕÃ]|bill[óÓ]n|tysi[ąę]|ngàn|nghìn|tri[ệe]u|t[ỷỉ](?![a-z])|[Тт]ыс|[Тт]ис|[Мм]лн|[Мм]лрд|[Тт]рлн|[Мм]илли|[Мм]іль|ТЫС|МЛН|МЛРД|ТРЛН|[십十백百천千만万萬억亿億조兆]|सौ|हज|लाख|करोड|ألف|آلاف|الف|مليون|ملايين|مليار|میلیون|میلیارد|هزار|พัน|หมื่น|แสน|ล้าน|אלף|מיליון|מיליארד|χιλι|εκατομ|δισ)/;

/** What may stand between a number and its scale: "850 *million*", "850 (mln)", "850 USD mln", "5€k". */
const BETWEEN =
  /^[ \t\u00a0\u2000-\u200a\u202f\u205f\u3000]*(?:(?:[$€£¥₩₹￥￦元원円]|[A-Z]{3}(?![A-Za-z])|(?:US )?(?:dollars?|bucks?|euros?|pounds?|yen|yuan|won|rupees?|francs?|pesos?)(?![A-Za-z]))[ \u00a0\u202f]*)?[*_`"'“‘(]*/;

/** "3 T-shirts", "2 L-shaped desks": the letter begins a word. */
const COMPOUND = /^[bgltBGLT]-[A-Za-z]/;
const LONGEST = 12;

/** Whether the next word makes another number of the one that ends here. */
export function isScaled(text: string, at: number): boolean {
  const start = at + (BETWEEN.exec(text.slice(at, at + 24))?.[0].length ?? 0);
  const rest = text.slice(start, start + LONGEST);
  const word = rest.slice(0, wordEnd(rest, 0));
  return (SCALES.has(foldAscii(word)) && !COMPOUND.test(rest)) || OTHER_SCALES.test(rest);
}
