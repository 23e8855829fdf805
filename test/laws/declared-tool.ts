import type { ToolDeclaration } from '../../src/declarations/tool.ts';
import type { Json } from '../../src/events/json.ts';
import type { Dice } from './dice.ts';

/** The arguments of the one tool of these worlds. */
export const SCHEMA: Json = {
  type: 'object',
  required: ['from', 'amount'],
  additionalProperties: false,
  properties: {
    from: { type: 'string' },
    to: { type: 'string' },
    amount: { type: 'number', maximum: 1000 },
    note: { type: 'string' },
    day: { type: 'string' },
    at: { type: 'string' },
    link: { type: 'string' },
    express: { type: 'boolean' },
    kind: { type: 'string' },
    count: { type: 'integer' },
    mode: { const: 'live' },
    lines: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id'],
        additionalProperties: false,
        properties: { id: { type: 'string' }, qty: { type: 'integer' } },
      },
    },
    olds: { type: 'array', items: { type: 'string' } },
    news: { type: 'array', items: { type: 'string' } },
    card: {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string' }, name: { type: 'string' } },
    },
  },
};

const LABELS: readonly [string, ...string[]] = [
  '[Verify] final: It can not be undone.',
  '[Required] /note',
  '[Notice] fee: A fee applies.',
  '[Verify] final: It can not be undone. {on=/to,/amount}',
  '[Required] balance: It must cover the amount. {by=account#/limit; require="value >= args.amount"}',
  '[Required] open: It must be open. {by=nowhere#/open}',
  '[required] /to',
  '[Required] /card/id: Which card.',
];

/** The tool, with or without its schema and the labels of its description. */
export function toolOf(dice: Dice): ToolDeclaration {
  const description = dice.rarely(5)
    ? [
        'Sends money.',
        dice.pick(LABELS),
        ...(dice.rarely(3) ? ['[Verify] sure: Really.'] : []),
        ...(dice.rarely(5) ? [dice.pick(LABELS)] : []),
      ].join('\n')
    : null;
  const schema = dice.rarely(7) ? null : SCHEMA;
  return { server: 'bank', name: 'send', description, input_schema: schema, annotations: null };
}
