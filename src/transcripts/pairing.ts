/** Finds the call that a result answers, among those proposed before it. */
export interface Pairing {
  /** `call` is its index; calls come in the order of proposal. */
  propose(call: number, of: { message: number; id: string | null; tool: string }): void;
  /** This call has its result. */
  settle(call: number): void;
  /** The index of the call, which is then answered; null where there is none. */
  answer(result: { id: string | null; name: string | null }): number | null;
}

/**
 * A result answers the nearest unanswered call with its id (ids repeat inside a conversation); without one, the
 * first unanswered call of the last message that has any, by name where the result has a name. Of several calls in one
 * message the first comes first. Each step takes constant time on average, however many results answer nothing.
 */
export function pairing(): Pairing {
  const waiting = new Map<string, { message: number; calls: number[]; next: number }[]>();
  const answered = new Set<number>();

  function add(key: string, message: number, call: number): void {
    const stack = waiting.get(key) ?? [];
    waiting.set(key, stack);
    const top = stack.at(-1);
    if (top?.message === message) top.calls.push(call);
    else stack.push({ message, calls: [call], next: 0 });
  }

  function first(key: string): { message: number; call: number } | null {
    const stack = waiting.get(key) ?? [];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      for (let call = top.calls[top.next]; call !== undefined; call = top.calls[++top.next]) {
        if (!answered.has(call)) return { message: top.message, call };
      }
      stack.pop();
    }
    return null;
  }

  return {
    propose(call, { message, id, tool }) {
      add('any', message, call);
      add(`tool ${message} ${tool}`, message, call);
      if (id !== null) add(`id ${id}`, message, call);
    },
    settle: (call) => {
      answered.add(call);
    },
    answer({ id, name }) {
      const last = first('any');
      const byId = id === null ? null : first(`id ${id}`);
      const byOrder = name === null || last === null ? last : first(`tool ${last.message} ${name}`);
      const found = byId ?? byOrder;
      if (found) answered.add(found.call);
      return found?.call ?? null;
    },
  };
}
