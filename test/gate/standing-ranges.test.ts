import { describe, test } from 'vitest';
import { digestOf } from '../../src/events/digest.ts';
import {
  approval,
  type Expectation,
  type GivenEntry,
  type GivenTool,
  given,
  notice,
  type Surroundings,
  setting,
  standingRange,
  user,
} from '../../src/testing/index.ts';
import { sending } from '../preflight/asked.ts';

const TOOL = {
  server: 'bank',
  input_schema: {
    type: 'object',
    required: ['to', 'amount'],
    properties: { to: { type: 'string' }, amount: { type: 'number' }, note: { type: 'string' } },
  },
} satisfies Omit<GivenTool, 'name'>;

const FINAL = '[Verify] final: Transfers are final.';
const TEXT = 'Transfers are final.';

interface Case {
  readonly description?: string;
  readonly args?: { readonly [name: string]: string | number };
  readonly entries: readonly GivenEntry[];
  readonly more?: Surroundings;
  readonly slots?: string;
  readonly finds: Expectation;
}

/** What the user typed says every value; only the label is left. */
function check({ description = FINAL, args = { to: 'B-2', amount: 50 }, entries, more, slots, finds }: Case) {
  const said = given([user('Send 50 to B-2.'), user('Or 500.')], sending(slots));
  return said
    .with({ entries, now: '2026-03-02T11:00:00Z', ...more })
    .propose('send', args, { tool: { ...TOOL, description } })
    .finds(finds);
}

const known = {
  state: 'known',
  source: 'pre_set_data',
  origin: 'pre_set_data',
  reason: 'setting',
  rule: 'S11',
} as const;
const SATISFIED: Expectation = { kind: 'executable', slots: { final: known } };
const ASKED: Expectation = { kind: 'unknown', slots: { final: { reason: 'not_said', route: 'ask_user' } } };
const REPAIR = (reason: 'expression_invalid' | 'expression_failed'): Expectation => ({
  kind: 'definition_repair',
  slots: { final: { reason, route: 'definition_repair', declared_by: 'user', rule: 'R11' } },
});
const within = (expression: string) => standingRange('final', expression);
const yes = approval({ final: TEXT, '/to': 'B-2', '/amount': 50 });
const no = approval({ final: TEXT }, { declined: true });

describe('A standing range', () => {
  test.each<[string, Case]>([
    [
      'satisfies its [Verify] where it holds of the arguments',
      { entries: [within('args.amount <= 100')], finds: SATISFIED },
    ],
    ['leaves it to the user outside', { entries: [within('args.amount <= 10')], finds: ASKED }],
    [
      'is judged by what would be sent, not by what was settled',
      { args: { to: 'B-2', amount: 500 }, entries: [within('args.amount <= 100')], finds: ASKED },
    ],
    [
      'may read the time',
      { entries: [within('seconds(now) < seconds("2026-04-01T00:00:00Z")')], finds: SATISFIED },
    ],
    [
      'that reads the time leaves it to the user where nobody says what time it is',
      { entries: [within('seconds(now) < 0')], more: { now: null }, finds: ASKED },
    ],
    [
      'that reads the time is judged at the trigger only',
      {
        entries: [within('seconds(now) < seconds("2026-04-01T00:00:00Z")')],
        more: { phase: 'at_instruction' },
        finds: ASKED,
      },
    ],
    [
      'of values alone holds at the instruction too',
      {
        entries: [within('args.amount <= 100')],
        more: { phase: 'at_instruction' },
        finds: { ...SATISFIED, kind: 'schedulable' },
      },
    ],
    [
      'of a value that may stay open until the trigger keeps nothing open until then',
      {
        slots: '      /note: { reader: text, pending_at_trigger: true }\n',
        args: { to: 'B-2', amount: 50, note: 'gift' },
        entries: [within('args.note == "gift"')],
        more: { phase: 'at_instruction' },
        finds: ASKED,
      },
    ],
    [
      'is of this very tool',
      { entries: [standingRange('final', 'true', { tool: digestOf('another') })], finds: ASKED },
    ],
    ['is of the label that it names', { entries: [standingRange('sure', 'true')], finds: ASKED }],
    [
      'counts only where the log holds it',
      { entries: [standingRange('final', 'true', { attested_by: 'caller' })], finds: ASKED },
    ],
    [
      'gives way to a later word under its name',
      { entries: [within('true'), within('args.amount <= 10')], finds: ASKED },
    ],
    [
      'gives way to a later setting without one',
      { entries: [within('true'), setting('final', 'x')], finds: ASKED },
    ],
    [
      'does not hang on another that does not hold',
      { entries: [within('true'), standingRange('final', 'false', { name: 'other' })], finds: SATISFIED },
    ],
    [
      'of a label that is for each time says nothing',
      { description: `${FINAL} {each_time}`, entries: [within('true')], finds: ASKED },
    ],
    [
      'loses to a no to this very label (CASE 9)',
      {
        entries: [within('true'), no],
        finds: { kind: 'unmet', unmet: [{ slot: 'final', reason: 'declined' }] },
      },
    ],
    [
      'loses to it also where the range was settled after',
      { entries: [no, within('true')], finds: { kind: 'unmet', unmet: ['final'] } },
    ],
    [
      'is not needed where the user said yes',
      {
        entries: [within('args.amount <='), yes],
        finds: { kind: 'executable', slots: { final: 'answered' } },
      },
    ],
  ])('%s', (_, one) => {
    check(one);
  });

  test.each<[string, string, Expectation]>([
    ['does not compile', 'args.amount <=', REPAIR('expression_invalid')],
    ['reads what is neither an argument nor the time', 'account.limit > 10', REPAIR('expression_invalid')],
    ['is not true or false', 'args.amount', REPAIR('expression_failed')],
    ['reads what is not sent', 'args.note == "gift"', REPAIR('expression_failed')],
  ])('that %s is for its declarer to repair', (_, expression, finds) => {
    check({ entries: [within(expression)], finds });
  });

  test('that can not be run does not spoil another that holds', () => {
    check({
      entries: [within('args.amount <='), standingRange('final', 'true', { name: 'other' })],
      finds: SATISFIED,
    });
  });

  test('waits for the values that it reads', () => {
    check({
      args: { to: 'B-2', amount: 70 },
      entries: [within('args.amount <= 100')],
      finds: {
        kind: 'unknown',
        slots: { final: { reason: 'waits_for', waits_for: ['/amount'], route: 'ask_user', rule: 'S19' } },
      },
    });
  });

  test('settles no value, though its setting is the one that a slot takes', () => {
    check({
      args: { to: 'args.amount <= 100', amount: 50 },
      slots: '      /note: { setting: final, reader: text }\n',
      entries: [within('args.amount <= 100')],
      finds: { kind: 'unknown', slots: { '/to': 'unknown', final: 'setting' } },
    });
    // A hook that points at the expression for a slot that takes the setting.
    check({
      args: { to: 'B-2', amount: 50, note: 'true' },
      slots: '      /note: { setting: final, reader: text }\n',
      entries: [within('true')],
      more: {
        hook: ({ subject, source }) =>
          'slot' in subject && subject.slot === '/note' && source === 'pre_set_data'
            ? {
                said: 'claim',
                claims: [{ at: { in: 'entry', entry: 0, pointer: '/satisfies/0/within' } }],
                also: 1,
              }
            : undefined,
      },
      finds: { kind: 'unknown', slots: { '/note': 'unknown' } },
    });
  });

  test('settles no act', () => {
    given([user('Close 50 to B-2.')], sending())
      .with({ entries: [within('true'), standingRange('act', 'true'), standingRange('tool', 'true')] })
      .propose('send', { to: 'B-2', amount: 50 }, { tool: { ...TOOL, description: FINAL } })
      .finds({ kind: 'tool_undetermined' });
  });

  test('settles no [Notice] and no [Required]', () => {
    check({
      description: '[Notice] fee: A fee applies.',
      entries: [standingRange('fee', 'true')],
      finds: { kind: 'unknown', slots: { fee: 'not_said' } },
    });
    check({
      description: '[Notice] fee: A fee applies.',
      entries: [standingRange('fee', 'false'), notice('A fee applies.')],
      finds: { kind: 'executable' },
    });
    check({
      description: '[Required] open: It must be open.\n[Required] /note',
      entries: [standingRange('open', 'true'), standingRange('/note', 'true', { name: 'note' })],
      finds: { slots: { open: 'no_source', '/note': 'not_said' } },
    });
  });

  test.each<[string, string, Expectation]>([
    ['hides leaves it to the user', 'absent', ASKED],
    ['points beside leaves it to the user', 'elsewhere', ASKED],
    ['fails to find is a defect', 'failed', { kind: 'definition_repair', slots: { final: 'lookup_failed' } }],
  ])('that a hook %s', (_, how, finds) => {
    check({
      entries: [within('args.amount <= 100'), within('args.amount <= 10')].map((entry, index) => ({
        ...entry,
        name: `range ${index}`,
      })),
      more: {
        hook: ({ subject, source }) => {
          if (!('slot' in subject) || subject.slot !== 'final' || source !== 'pre_set_data') return undefined;
          if (how === 'absent') return { said: 'absent' };
          if (how === 'failed') return { said: 'failed', code: 'hook/timeout' };
          const claims = [
            { at: { in: 'entry' as const, entry: 1, pointer: '/satisfies/0/within' } },
            { at: { in: 'entry' as const, entry: 0, pointer: '/value' } },
            { at: { in: 'text' as const, segment: 0, start: 0, end: 4 } },
          ];
          return { said: 'claim', claims, also: 3 };
        },
      },
      finds,
    });
  });
});
