import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { faultMessage } from '../events/ingress.ts';
import { exactText, headOf, readMessage } from './exact-message.ts';
import { linesOf } from './lines.ts';
import { errorResponse, type HostTransport, inexact, JSON_RPC, MOST_UNREAD, UNREAD } from './transport.ts';

/**
 * A host on this process's stdin and stdout: one message a line. Each line is scanned before it is parsed, so that no number is
 * rounded and no key lost. The end of the input closes it.
 */
export function stdioHost(input: Readable, output: Writable): HostTransport {
  let open = false;
  let givenUp = false;
  /** Nobody waits for a host to read: what the server answers to a call is heard and recorded all the same. */
  const send = async (message: JSONRPCMessage): Promise<void> => {
    // A host that is gone reads no more; the end of its input says so too.
    if (output.destroyed || output.writableEnded || givenUp) return;
    if (output.writableLength <= MOST_UNREAD) return void output.write(`${exactText(message)}\n`);
    givenUp = true;
    transport.onerror?.(new Error(UNREAD));
    await transport.close();
  };

  const take = (line: string): void => {
    const arrived = readMessage(line);
    if (arrived.message === null) {
      const { fault } = arrived;
      const said = fault === null ? 'This is no JSON-RPC message.' : faultMessage(fault);
      void send(errorResponse(undefined, fault === null ? JSON_RPC.invalidRequest : JSON_RPC.parse, said));
      return;
    }
    const { message, value, faults } = arrived;
    const { id, method } = headOf(value);
    const fault = faults.find(({ code }) => code === 'duplicate_key' || method === 'tools/call');
    if (fault === undefined) {
      try {
        transport.onmessage?.(message);
      } catch (error) {
        transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
        if (id !== null && method !== null)
          void send(errorResponse(id, JSON_RPC.internal, 'This request could not be taken.'));
      }
      return;
    }
    if (id === null || method === null) {
      transport.onerror?.(new Error(`A message of the host was dropped. ${faultMessage(fault)}`));
      return;
    }
    const told = inexact('This request', fault);
    const refused = errorResponse(id, JSON_RPC.invalidRequest, told.message, told.data);
    const answer = transport.onfaulty?.({ id, method, text: line, value, fault }) ?? Promise.resolve(refused);
    void answer.then(send);
  };
  const lines = linesOf(take, () => {
    transport.onerror?.(new Error('A line of the host is too long.'));
    void transport.close();
  });
  const onData = (chunk: Buffer): void => lines.push(chunk);
  const onEnd = (): void => void transport.close();
  const onError = (error: Error): void => {
    transport.onerror?.(error);
    void transport.close();
  };

  const transport: HostTransport = {
    async start() {
      open = true;
      output.on('error', onError);
      input.on('data', onData).on('end', onEnd).on('close', onEnd).on('error', onError);
    },
    send,
    async close() {
      if (!open) return;
      open = false;
      lines.end();
      input.off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onError);
      input.pause();
      transport.onclose?.();
    },
  };
  return transport;
}
