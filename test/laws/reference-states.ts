import type { Route, State } from './opinion.ts';
import { endOf, type Settled } from './reference-rows.ts';
import type { Table } from './reference-settling.ts';
import type { Slot } from './reference-slots.ts';

/** The routes behind what ids wait for, as far as they are known. */
export type RouteBehind = (ids: readonly string[], except: string | null) => Route | null;

/** The states of all that was walked, and what routes lie behind them. */
export function statesOf(
  { walked, settled, facts }: Table,
  pendingHere: boolean,
): { readonly states: Map<string, State>; readonly routeBehind: RouteBehind } {
  const states = new Map<string, State>();
  const routes = new Map<string, Route>();
  const routeBehind = (ids: readonly string[], except: string | null): Route | null => {
    const found = new Set<Route>();
    const seen = new Set<string>(except === null ? [] : [except]);
    const visit = (id: string): void => {
      if (seen.has(id)) return;
      seen.add(id);
      const route = routes.get(id);
      if (route !== undefined) found.add(route);
      const fact = facts.get(id);
      if (fact?.is === 'failed') found.add('definition_repair');
      if (fact?.is === 'absent' || fact?.is === 'unfinished' || fact?.is === 'refused')
        found.add('system_lookup');
      if (fact?.is === 'waits') for (const next of fact.on) visit(next);
      for (const sign of settled.get(id)?.signs ?? [])
        if (sign.is === 'W') for (const next of sign.on) visit(next);
    };
    for (const id of ids) visit(id);
    return (
      (['definition_repair', 'system_lookup', 'ask_user'] as const).find((route) => found.has(route)) ?? null
    );
  };
  const finish = (slot: Slot, { signs, state }: Settled): void => {
    states.set(slot.id, state ?? endOf(slot, signs, (ids) => routeBehind(ids, slot.id), pendingHere));
  };
  const waiting = walked.filter(({ id }) => {
    const one = settled.get(id) as Settled;
    return one.state === null && one.signs.some(({ is }) => is === 'W');
  });
  for (const slot of walked) {
    if (waiting.includes(slot)) continue;
    finish(slot, settled.get(slot.id) as Settled);
    const state = states.get(slot.id);
    if (state?.route !== undefined) routes.set(slot.id, state.route);
  }
  for (const slot of waiting) finish(slot, settled.get(slot.id) as Settled);
  for (const { id } of waiting) {
    const route = states.get(id)?.route;
    if (route !== undefined) routes.set(id, route);
  }
  return { states, routeBehind };
}
