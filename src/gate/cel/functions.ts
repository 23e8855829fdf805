import { epochSeconds, parseMoment, zoneMinutes } from '../calendar.ts';
import { add, type Decimal, decimalOfInteger, parseDecimal, ZERO } from '../decimal.ts';
import type { FunctionName } from './expr.ts';
import {
  asList,
  asMap,
  asNumber,
  asText,
  type Budget,
  compareValues,
  itemAt,
  type ListValue,
  listValue,
  numberValue,
  spend,
  spendText,
  stop,
  type Value,
} from './value.ts';

/** What a function may know beside its arguments. */
export interface Surroundings {
  readonly budget: Budget;
  /** The declared zone of dates and times that carry none, as a checklist writes it; null where none is declared. */
  readonly zone: string | null;
}

type Implementation = (args: readonly Value[], around: Surroundings) => Value;

const IMPLEMENTATIONS: Readonly<Record<FunctionName, Implementation>> = {
  size: ([value], { budget }) => numberValue(decimalOfInteger(BigInt(sizeOf(value ?? null, budget)))),
  startsWith: ([text, beginning], { budget }) => {
    const start = asText(beginning ?? null);
    spendText(budget, start);
    return asText(text ?? null).startsWith(start);
  },
  sum: ([list], { budget }) => {
    let total: Decimal = ZERO;
    for (const value of itemsOf(asList(list ?? null), budget)) total = add(total, asNumber(value));
    return numberValue(total);
  },
  min: (args, { budget }) => extreme(args, -1, budget),
  max: (args, { budget }) => extreme(args, 1, budget),
  one: ([list]) => {
    const items = asList(list ?? null);
    return items.size === 1 ? items.item(0) : stop('not_one');
  },
  at: ([of = null, key = null]) => {
    if (typeof of === 'object' && of !== null && of.is === 'list') return itemAt(of, key) ?? null;
    return asMap(of).get(asText(key)) ?? null;
  },
  zip: ([a = null, b = null], { budget }) => {
    const left = asList(a);
    const right = asList(b);
    if (left.size !== right.size) stop('lengths_differ');
    spend(budget, left.size);
    const pairs: Value[] = [];
    for (let i = 0; i < left.size; i++) pairs.push(listValue([left.item(i), right.item(i)]));
    return listValue(pairs);
  },
  seconds: ([text], { zone }) => {
    const moment = momentOf(text);
    const declared = zone === null ? undefined : zoneMinutes(zone);
    if (moment.zone === null && declared === undefined) stop('zone_unknown');
    const whole = decimalOfInteger(BigInt(epochSeconds(moment, declared ?? 0)));
    return numberValue(add(whole, parseDecimal(`0.${moment.fraction}0`) ?? ZERO));
  },
  day_number: ([text]) => numberValue(decimalOfInteger(BigInt(momentOf(text).days))),
};

export function callFunction(fn: FunctionName, args: readonly Value[], around: Surroundings): Value {
  return IMPLEMENTATIONS[fn](args, around);
}

function momentOf(text: Value | undefined): NonNullable<ReturnType<typeof parseMoment>> {
  return parseMoment(asText(text ?? null)) ?? stop('bad_datetime');
}

function sizeOf(value: Value, budget: Budget): number {
  if (typeof value === 'string') {
    spendText(budget, value);
    return codePoints(value);
  }
  if (typeof value !== 'object' || value === null || value.is === 'number') return stop('wrong_type');
  return value.is === 'list' ? value.size : value.keys(budget).length;
}

function codePoints(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i += (text.codePointAt(i) ?? 0) > 0xffff ? 2 : 1) count++;
  return count;
}

function* itemsOf(list: ListValue, budget: Budget): Generator<Value> {
  for (let i = 0; i < list.size; i++) {
    spend(budget, 1);
    yield list.item(i);
  }
}

function extreme(args: readonly Value[], sign: 1 | -1, budget: Budget): Value {
  const [first] = args;
  const list = args.length === 1 && first !== undefined ? asList(first) : listValue(args);
  let best: Value | undefined;
  for (const value of itemsOf(list, budget)) {
    // Compared with itself where it is the only one, so that a lone value of a wrong type is a fault too.
    if (compareValues(value, best ?? value, budget) === sign || best === undefined) best = value;
  }
  return best === undefined ? stop('empty') : best;
}
