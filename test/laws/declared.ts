import { Checklist, type ChecklistFile } from '../../src/declarations/checklist.ts';
import { SCHEMA } from './declared-tool.ts';
import type { Dice } from './dice.ts';

type Slot = NonNullable<NonNullable<NonNullable<ChecklistFile['tools']>[string]['slots']>[string]>;
type Condition = NonNullable<NonNullable<NonNullable<ChecklistFile['tools']>[string]['conditions']>[string]>;

const ALL = ['user_answer', 'instruction', 'pre_set_data', 'measured_data', 'prior_state'] as const;

function sourcesOf(dice: Dice, plain: boolean, measured: boolean): Slot['sources'] {
  const shape = plain && !dice.rarely(6) ? dice.pick([0, 0, 5]) : dice.below(9);
  const own = measured ? (['measured_data'] as const) : [];
  if (shape < 2 || shape > 5) return undefined;
  if (shape === 2) return ['user_answer', 'instruction', ...own];
  if (shape === 3) return ['instruction', 'pre_set_data', ...own];
  if (shape === 4) return measured ? ['measured_data'] : ['user_answer'];
  return [...ALL.filter((source) => source !== 'measured_data' || measured)];
}

function without<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as T;
}

function slotOf(dice: Dice, plain: boolean, body: Slot): Slot {
  const measured = (body.measured?.length ?? 0) > 0;
  return without({
    ...body,
    sources: sourcesOf(dice, plain, measured),
    required: dice.rarely(40),
    pending_at_trigger: dice.rarely(6),
  });
}

/** `plain`: as for a simple tool, whose slots may mostly be filled from anywhere. */
export function systemChecklist(dice: Dice, plain = false): Checklist {
  const slot = (body: Slot): Slot => slotOf(dice, plain, body);
  const slots: Record<string, Slot> = {};
  const conditions: Record<string, Condition> = {};
  const ungated: Record<string, string> = {};
  const stale = dice.rarely(3)
    ? [{ tools: ['send'], match: dice.rarely(2) ? { 'arguments/from': '/from' } : {} }]
    : [];
  const account: NonNullable<ChecklistFile['facts']>[string] = {
    measured_by: dice.pick([
      [{ tool: 'get_account', match: { 'result/id': '/from' } }],
      [
        { tool: 'get_account', match: { 'result/id': '/from' } },
        { tool: 'get_account', match: { 'arguments/id': 'typed' } },
      ],
      [{ tool: 'get_account', match: { 'arguments/id': 'typed' } }],
      [{ tool: 'get_account', match: { 'record/id': '/to' } }],
    ]),
    stale_after: stale,
  };
  if (!dice.rarely(6)) {
    slots['/from'] = slot(dice.rarely(plain ? 12 : 3) ? { measured: ['account#/id'] } : { setting: 'from' });
  }
  slots['/to'] = slot({
    ...(dice.rarely(2)
      ? {
          named_by: [
            {
              record: 'account#/payees/*',
              id: '/iban',
              by: ['/last', '/name'],
              words: { Ann: ['my sister'] },
            },
          ],
          phrases: { 'the savings': 'account#/savings' },
        }
      : {}),
    ...(dice.rarely(3)
      ? { measured: ['account#/payees/*/iban'], select: dice.rarely(2) ? 'member' : 'single' }
      : dice.rarely(plain ? 2 : 3)
        ? { measured: ['owner#/main'] }
        : {}),
  });
  slots['/amount'] = slot({
    reader: dice.pick(plain ? ['decimal', 'integer'] : ['money', 'decimal', 'integer', 'text']),
    ...(dice.rarely(plain ? 12 : 4) ? { fixed_by: 'covered' } : {}),
    ...(dice.rarely(4) ? { setting: 'usual' } : {}),
  });
  slots['/day'] = slot({ reader: dice.pick(['date', 'day']) });
  slots['/at'] = slot({ reader: dice.pick(['datetime', 'local']) });
  slots['/link'] = slot({ reader: 'url' });
  slots['/express'] = slot({ reader: 'express', setting: 'express' });
  slots['/kind'] = slot({ reader: dice.pick(['kind', 'text_fold']) });
  slots['/count'] = slot({ reader: dice.pick(['few', 'integer']) });
  slots['/lines/*/id'] = slot({
    ...(dice.rarely(2)
      ? {
          measured: [dice.pick(['history#/id', 'line#/id', 'box#/items/*/id'])],
          select: dice.pick(['member', 'single']),
        }
      : {}),
  });
  slots['/lines/*/qty'] = slot({
    reader: 'integer',
    ...(dice.rarely(3) ? { measured: ['line#/qty'] } : {}),
    ...(dice.rarely(6) ? { fixed_by: 'stocked' } : {}),
  });
  const leftOpen = dice.rarely(3);
  if (leftOpen) {
    const name = dice.pick(['/note', '/card', '/amount', '/lines/*/qty']);
    ungated[name] = 'Nobody acts on it.';
    if (name !== '/amount' || dice.rarely(2)) delete slots[name];
  } else if (dice.rarely(3)) slots['/card/id'] = slot({});
  // A condition that a slot is computed by must be there; the others come and go.
  if (dice.rarely(2) || slots['/amount']?.fixed_by !== undefined) {
    conditions.covered = { require: 'args.amount <= account.limit', when_measured: dice.rarely(3) };
  }
  if (dice.rarely(3))
    conditions.open = { require: 'account.status == "open"', when_measured: dice.rarely(2) };
  if (dice.rarely(4)) conditions.positive = { require: 'args.amount > 10' };
  if (dice.rarely(4)) conditions.early = { require: 'seconds(now) < seconds("2024-05-21T00:00:00Z")' };
  if (dice.rarely(6)) conditions.both = { require: 'args.to != args.from && size(history) >= 0' };
  if (dice.rarely(8))
    conditions.spoken = {
      require: dice.pick(['status.state == "open"', 'args.nope == 1', 'size(line) > 0']),
    };
  if (dice.rarely(3) || slots['/lines/*/qty']?.fixed_by !== undefined) {
    conditions.stocked = {
      each: '/lines/*',
      require: dice.pick(['item.qty <= line.stock', 'line.stock > 0', 'item.qty > 0 && index < 2']),
      when_measured: dice.rarely(2),
    };
  }
  if (dice.rarely(25)) conditions.broken = { require: 'args.amount <' };
  const group = dice.below(4);
  const file: ChecklistFile = {
    grounds: 1,
    checklist: 'bank/policy',
    declared_by: 'system',
    zone: dice.pick(['UTC', '-05:00']),
    tool_errors: ['Error: '],
    intent: without({
      unmarked_timing: dice.rarely(12) ? undefined : ('immediate' as const),
      timing: dice.rarely(2)
        ? {}
        : {
            immediate: { words: ['now'] },
            scheduled: { words: ['later', 'next time'], detail: dice.pick(['date', 'day']) },
            ...(dice.rarely(3) ? { conditional: { words: ['once it drops'], detail: 'money' } } : {}),
          },
      act_words: { send: ['send', 'move'], close: ['close', ...(dice.rarely(4) ? ['move'] : [])] },
      single_tool: dice.rarely(9),
      yes: ['yes', 'go ahead'],
      no: ['no', "don't"],
    }),
    readers: {
      kind: { one_of: { fast: ['fast', 'quick'], slow: ['slow'] } },
      express: { boolean: { true: ['with express'], false: ['without express'] } },
      few: { integer: { 2: ['a couple'] } },
      day: { date: { order: 'dmy' } },
      local: { datetime: { zone: '+01:00' } },
    },
    facts: {
      account,
      owner: {
        measured_by: [
          { tool: 'get_owner', record: '', match: { 'result/id': 'account#/owner' } },
          { tool: 'find_owner', record: '', match: { 'arguments/mail': 'typed', 'record/known': '/kind' } },
        ],
      },
      line: {
        each: '/lines/*',
        measured_by: [{ tool: 'list_items', record: '/items/*', match: { 'record/id': '/lines/*/id' } }],
        stale_after: dice.rarely(4) ? [{ tools: ['send'], match: {} }] : [],
      },
      box: { measured_by: [{ tool: 'list_items', record: '', match: {} }] },
      history: { take: 'all', measured_by: [{ tool: 'list_items', record: '/items/*', match: {} }] },
      status: {
        measured_by: [
          {
            tool: 'get_status',
            template: 'Account {number} is {state}.',
            match: { 'record/number': '/from' },
          },
        ],
      },
    },
    groups: [
      ...(group === 1 || group === 3
        ? [
            {
              of: ['/lines/*'],
              records: [
                {
                  fact: dice.pick(['line#', 'box#/items/*']),
                  fields: { '/lines/*/id': 'record/id', '/lines/*/qty': 'record/qty' },
                },
              ],
            },
          ]
        : []),
      ...(group === 2 || group === 3 ? [{ of: ['/olds/*', '/news/*'] }] : []),
    ],
    tools: {
      send: without({
        slots,
        conditions,
        ungated,
        slots_from_proposal: dice.rarely(6),
      }),
    },
  };
  return Checklist.parse(file);
}

export function providerChecklist(dice: Dice): Checklist {
  return Checklist.parse({
    grounds: 1,
    checklist: 'bank/provider',
    declared_by: 'provider',
    tools: {
      send: without({
        schema: dice.rarely(2) ? SCHEMA : undefined,
        slots: {
          [dice.pick(['/to', '/note', '/amount'])]: without({
            required: dice.rarely(2),
            sources: dice.pick<Slot['sources']>([
              ['user_answer', 'instruction'],
              ['user_answer'],
              undefined,
              ['instruction', 'measured_data'],
            ]),
            // An opening key makes its item a defect.
            select: dice.rarely(6) ? ('member' as const) : undefined,
          }),
        },
        conditions: dice.rarely(2) ? { cap: { require: 'args.amount <= 500' } } : {},
      }),
    },
  } as ChecklistFile);
}

export function userChecklist(dice: Dice): Checklist {
  return Checklist.parse({
    grounds: 1,
    checklist: 'user/own',
    declared_by: 'user',
    tools: {
      send: {
        slots: dice.rarely(2) ? { '/note': { setting: 'note' } } : {},
        conditions: { mine: { require: 'args.amount <= 300' } },
      },
    },
  });
}
