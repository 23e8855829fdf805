/** One small bank: rules, a conversation on good grounds, and one whose recipient nobody named. */
export const BANK_RULES = `grounds: 1
checklist: bank/policy
declared_by: system
intent:
  unmarked_timing: immediate
  act_words: { transfer: [send, transfer] }
  yes: ["yes"]
  no: ["no"]
tools:
  get_balance:
    reversible: true
  transfer:
    slots_from_proposal: true
    slots:
      /amount: { reader: decimal }
      /to: { reader: text }
`;

interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: unknown;
  readonly tool_call_id?: string;
}

/** A conversation that ends in a transfer which ran. */
export function transferRun(said: string, args: unknown): { readonly messages: readonly Message[] } {
  const call = (id: string, name: string, body: unknown) => ({
    id,
    type: 'function',
    function: { name, arguments: typeof body === 'string' ? body : JSON.stringify(body) },
  });
  return {
    messages: [
      { role: 'user', content: said },
      { role: 'assistant', content: null, tool_calls: [call('a', 'get_balance', { account: 'main' })] },
      { role: 'tool', tool_call_id: 'a', content: '{"account":"main","available":900}' },
      { role: 'assistant', content: null, tool_calls: [call('b', 'transfer', args)] },
      { role: 'tool', tool_call_id: 'b', content: '{"ok":true}' },
    ],
  };
}

export const GROUNDED = transferRun('Please send 250 to acc-77', { amount: 250, to: 'acc-77' });
export const INVENTED = transferRun('Please send 250 to my landlord', { amount: 250, to: 'acc-99' });

export function jsonLines(...values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}
