/** As a part of regular expressions; in full, or by the usual short forms. */
export const MONTH_NAMES =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';

const FIRST = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** 1 to 12, by the first three letters in lower case; 0 if there is no such month. */
export const monthOf = (folded: string): number => FIRST.indexOf(folded.slice(0, 3)) + 1;
