import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { parseJsonBody } from '@tallyport/wire';
import { answerBounds, type AnswerCount, ServerMisuse } from './answer-bounds.ts';

/** What a server sends passes here before the MCP library reads it. Its functions throw ServerMisuse. */
export interface MessageGate {
  /** Resolves when the account may go on reading. */
  read(bytes: number): Promise<void>;
  /** Returns the messages of a text, of which a batch has several; one unknown message if it is not JSON. */
  parse(json: Buffer): readonly unknown[];
  /** Resolves to whether the library gets this message, after the answer to a ping has been sent. */
  passes(message: unknown): Promise<boolean>;
}

interface GateOptions {
  count: AnswerCount;
  /** Waits for the turn of the account to read this much. */
  pace(cost: number): Promise<void>;
  /** Sends an answer to the server. */
  answer(id: PingId): Promise<void>;
}

export type PingId = string | number;

/** To handle a message takes about as long as to read this many bytes. */
const messageCost = 4 * 1024;

export function createMessageGate({ count, pace, answer }: GateOptions): MessageGate {
  let isAnswering = false;

  /** One at a time: a ping in the response to our answer is not answered. */
  async function answerPing(id: unknown): Promise<void> {
    if (!isPingId(id)) throw new ServerMisuse('sent a ping that cannot be answered.');
    if (isAnswering) return;
    isAnswering = true;
    // Whether the server accepts the answer is its own affair.
    await answer(id)
      .catch(throwMisuse)
      .finally(() => (isAnswering = false));
  }

  return {
    async read(bytes) {
      count.bytes(bytes);
      await pace(bytes);
    },
    parse(json) {
      const reading = parseJsonBody([json], randomUUID);
      if (!reading.ok) {
        // The library reports it, and in a stream goes on.
        if (reading.problem.code === 'invalid_json') return [undefined];
        throw new ServerMisuse('sent a message that is too complex.');
      }
      return Array.isArray(reading.value) ? reading.value : [reading.value];
    },
    async passes(message) {
      count.message();
      await pace(messageCost);
      // Other work of the process goes on between two messages.
      await setImmediate();
      const request = requestOf(message);
      if (request === undefined) return true;
      if (request.method !== 'ping') throw new ServerMisuse('sent a request. Only pings are answered.');
      await answerPing(request.id);
      return false;
    },
  };
}

function throwMisuse(thrown: unknown): void {
  if (thrown instanceof ServerMisuse) throw thrown;
}

function requestOf(message: unknown): { method: unknown; id: unknown } | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  return 'method' in message && 'id' in message ? { method: message.method, id: message.id } : undefined;
}

const isPingId = (id: unknown): id is PingId =>
  typeof id === 'number' || (typeof id === 'string' && id.length <= answerBounds.idLength);
