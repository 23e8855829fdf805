import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema, type Tool } from '@modelcontextprotocol/sdk/types.js';
import type { ServerTransport } from '../../src/mcp/transport.ts';

/** What the desk holds, as it stands in its file. */
export interface Books {
  readonly accounts: Record<string, number | null>;
  readonly subscribers: readonly string[];
  readonly bookings: readonly string[];
  readonly bought: readonly unknown[];
  readonly meetings: readonly unknown[];
}

const EMPTY: Books = {
  accounts: { 'A-1': 900, 'B-2': 10, 'N-0': null },
  subscribers: [],
  bookings: ['Yoga Monday'],
  bought: [],
  meetings: [],
};

/** What its tools take, together: their schemas say who takes what. */
interface Args {
  readonly email: string;
  readonly account_id: string;
  readonly from_account: string;
  readonly to_account: string;
  readonly amount: number;
  readonly class: string;
  readonly item: string;
  readonly price: number;
  readonly with: string;
  readonly time: string;
  readonly account: string;
  readonly destructive?: boolean;
}

type Work = (
  books: Books,
  args: Args,
) => { readonly books?: Partial<Books>; readonly says: unknown; readonly failed?: boolean };

const text = { type: 'string' } as const;
const number = { type: 'number' } as const;

const TOOLS: readonly (Tool & { work: Work })[] = [
  tool(
    'subscribe',
    'Subscribes an address to the newsletter.',
    { email: text },
    ({ subscribers }, { email }) => ({
      books: { subscribers: [...subscribers, email] },
      says: { subscribed: email },
    }),
  ),
  tool(
    'get_account',
    'An account and what is available on it.',
    { account_id: text },
    ({ accounts }, { account_id }) => ({
      says: { account_id, available: accounts[account_id] ?? null },
    }),
  ),
  tool(
    'transfer',
    'Moves money.',
    { from_account: text, to_account: text, amount: number },
    ({ accounts }, args) => {
      const { from_account, to_account, amount } = args;
      const after = {
        ...accounts,
        [from_account]: (accounts[from_account] ?? 0) - amount,
        [to_account]: (accounts[to_account] ?? 0) + amount,
      };
      return {
        books: { accounts: after },
        says: { account_id: from_account, available: after[from_account] },
      };
    },
  ),
  tool('book', 'Books a place in a class.', { class: text }, ({ bookings }, args) =>
    bookings.length >= 1
      ? { says: 'The class is full.', failed: true }
      : { books: { bookings: [...bookings, args.class] }, says: { booked: args.class } },
  ),
  tool('cancel_booking', 'Cancels a booking.', { class: text }, ({ bookings }, args) => ({
    books: { bookings: bookings.filter((each) => each !== args.class) },
    says: { cancelled: args.class },
  })),
  tool('buy', 'Buys an article.', { item: text, price: number }, ({ bought }, args) => ({
    books: { bought: [...bought, args] },
    says: { bought: args.item },
  })),
  tool(
    'agree_meeting',
    'Agrees to meet, in the user’s name.',
    { with: text, time: text },
    ({ meetings }, args) => ({
      books: { meetings: [...meetings, args] },
      says: { agreed: args.time },
    }),
  ),
  tool(
    'wipe',
    'Empties an account.',
    { account: text, destructive: { type: 'boolean', default: true } },
    ({ accounts }, args) => ({
      books: args.destructive === true ? { accounts: { ...accounts, [args.account]: 0 } } : {},
      says: { wiped: args.account },
    }),
    ['account'],
  ),
];

function tool(
  name: string,
  description: string,
  properties: Record<string, object>,
  work: Work,
  required = Object.keys(properties),
) {
  return {
    name,
    description,
    work,
    inputSchema: { type: 'object' as const, properties, required, additionalProperties: false },
  };
}

/** A real MCP server over a file, whose world each test looks at; and what it is made to do wrong. */
export interface Desk {
  readonly transport: () => ServerTransport;
  readonly books: () => Books;
  /** The arguments of every call that reached it, as they came. */
  readonly received: { readonly tool: string; readonly arguments: unknown; readonly meta: unknown }[];
  /** Changes a tool's description, and says so unless told not to. */
  readonly describe: (tool: string, description: string, announced?: boolean) => Promise<void>;
  /** Runs when a call has had its effect and before it answers. */
  atEffect: (() => void | Promise<void>) | null;
  /** Runs when its tools are listed. */
  atListing: (() => void | Promise<void>) | null;
  /** How many calls it was told to give up. */
  cancelled: number;
  /** Cuts every connection. */
  readonly cut: () => Promise<void>;
}

export function desk(file: string): Desk {
  const descriptions = new Map<string, string>();
  const open = new Set<Server>();
  const books = (): Books => (existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Books) : EMPTY);
  const self: Desk = {
    books,
    received: [],
    cancelled: 0,
    atEffect: null,
    atListing: null,
    async describe(name, description, announced = true) {
      descriptions.set(name, description);
      if (announced) await Promise.all([...open].map((server) => server.sendToolListChanged()));
    },
    async cut() {
      await Promise.all([...open].map((server) => server.close()));
    },
    transport() {
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      const server = new Server(
        { name: 'desk', version: '1.0.0' },
        { capabilities: { tools: { listChanged: true } } },
      );
      server.setRequestHandler(ListToolsRequestSchema, async () => {
        await self.atListing?.();
        return {
          tools: TOOLS.map(({ work: _, ...each }) => ({
            ...each,
            description: descriptions.get(each.name) ?? each.description,
          })),
        };
      });
      server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
        signal.addEventListener('abort', () => {
          self.cancelled++;
        });
        const args = (params.arguments ?? {}) as unknown as Args;
        self.received.push({ tool: params.name, arguments: args, meta: params._meta });
        const done = TOOLS.find(({ name }) => name === params.name)?.work(books(), args);
        if (done === undefined) throw new Error('No such tool.');
        if (done.books !== undefined) writeFileSync(file, JSON.stringify({ ...books(), ...done.books }));
        await self.atEffect?.();
        return {
          content: [
            { type: 'text', text: typeof done.says === 'string' ? done.says : JSON.stringify(done.says) },
          ],
          ...(done.failed === true ? { isError: true } : {}),
        };
      });
      void server.connect(theirs);
      open.add(server);
      server.onclose = () => open.delete(server);
      return ours;
    },
  };
  return self;
}
