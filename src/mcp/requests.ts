import { GroundsError, isGroundsError } from '../errors.ts';
import { encode } from '../events/canonical.ts';
import { plainOf } from '../events/content.ts';
import { uuidFrom } from '../events/ids.ts';
import { streamOf } from '../events/index.ts';
import type { Json } from '../events/json.ts';
import type { Around } from '../preflight/around.ts';
import { userIn } from '../preflight/by.ts';
import { openRequest } from '../preflight/conversation.ts';
import { type CallStanding, isUnfinished } from '../projections/standing.ts';
import { requestOf, standingOf } from '../runs/standing.ts';
import type { HostContext } from './context.ts';
import { hear } from './heard.ts';

/** Where a call stands: ids of the log, made of the host's own names under the log's key. */
export interface Standing {
  readonly conversation: string;
  readonly request: string;
}

/** What a session knows of where it stands when its host does not say. */
export interface Whereabouts {
  /** The session's own conversation. */
  readonly conversation: string;
  /** The request that was opened last, by conversation. */
  readonly requests: Map<string, string>;
}

/**
 * Finds the conversation and the request of a call, opens the request where it is new, and adds what the host brings. A request
 * begins with what comes with the call that opens it. RULES R2: only the host says that something new is asked for.
 *
 * @throws GroundsError as `hear` does; those of the log
 */
export async function whereIs(around: Around, session: Whereabouts, context: HostContext): Promise<Standing> {
  const { log } = around;
  const conversation =
    context.conversation === undefined
      ? session.conversation
      : uuidFrom(log.importKey, 'mcp conversation', context.conversation);
  const named = (name: string): string => uuidFrom(log.importKey, 'mcp request', conversation, name);
  const request = context.new_request
    ? around.newId()
    : context.request !== undefined
      ? named(`named ${context.request}`)
      : (session.requests.get(conversation) ?? named('first'));
  if (requestOf(log, request) === null) {
    const from = log.versionSync(streamOf.conversation(conversation));
    try {
      await openRequest(around, { conversation, request, from });
    } catch (error) {
      // Another host opened it at the same time.
      if (!isGroundsError(error) || error.code !== 'log/conflict') throw error;
    }
  }
  session.requests.set(conversation, request);
  await hear(around, conversation, context.segments, context.segments_from);
  return { conversation, request };
}

/** The call that is proposed: an earlier one again, or none yet. `pending`: it was started, and nobody knows its end. */
export interface Earlier {
  readonly call: string;
  readonly pending: boolean;
}

/**
 * Whether this is an earlier call of the request again: the one that the host names, or one of the same tool with the same
 * arguments that was not executed (a retry after answers), or that was started and has no end (a connection that was lost: it is
 * not made twice). One that succeeded or failed is over, and its like is a new call; and so is what another user proposed, unless
 * nobody knows yet what became of that.
 *
 * @throws GroundsError `mcp/other-request` where the host names a call of another request
 */
export function earlierCall(
  { log }: Around,
  { request }: Standing,
  proposed: {
    readonly call: string | undefined;
    readonly tool: string;
    readonly arguments: Json;
    /** The host's own id; undefined where it says none. */
    readonly user: string | undefined;
  },
): Earlier | null {
  const calls = requestOf(log, request)?.calls ?? [];
  if (proposed.call !== undefined) {
    if (!calls.includes(proposed.call)) {
      throw new GroundsError('mcp/other-request', `Call ${proposed.call} is none of this request.`, {
        facts: { call: proposed.call },
        hint: 'Name the call of a refusal together with the conversation and request it was refused in, or leave it out.',
      });
    }
    return { call: proposed.call, pending: isPending(standingOf(log, proposed.call)) };
  }
  const own = proposed.user === undefined ? null : userIn(log, proposed.user);
  for (const call of calls.toReversed()) {
    const standing = standingOf(log, call);
    if (standing === null || !isSame(standing, proposed)) continue;
    if (isPending(standing)) return { call, pending: true };
    if (own !== null && (standing.run?.started.user ?? own) !== own) continue;
    if (standing.starts.length === 0) return { call, pending: false };
    return null;
  }
  return null;
}

function isPending(standing: CallStanding | null): boolean {
  return standing?.starts.some(isUnfinished) ?? false;
}

function isSame(
  { run }: CallStanding,
  proposed: { readonly tool: string; readonly arguments: Json },
): boolean {
  const prepared = run?.started.proposal?.prepared;
  if (run === null || prepared == null || 'sealed' in prepared) return false;
  return (
    run.started.tool.stream === proposed.tool && encode(plainOf(prepared)) === encode(proposed.arguments)
  );
}
