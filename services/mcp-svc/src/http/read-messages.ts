import { randomUUID } from 'node:crypto';
import type { IncomingExchange } from '@tallyport/bus';
import { GatewayError } from '@tallyport/contracts';
import { parseJsonBody } from '@tallyport/wire';
import { checkMessage, invalidMessage, type RpcMessage } from './check-message.ts';

/** The bytes of request bodies that one process may hold. */
interface BodyBudget {
  /** Throws `unavailable` if the limit is reached. */
  take(bytes: number): void;
  give(bytes: number): void;
}

export function createBodyBudget(limit: number): BodyBudget {
  let held = 0;
  return {
    take(bytes) {
      if (held + bytes > limit) {
        throw new GatewayError('unavailable', 'The MCP server is busy. Try again in a second.', { retryAfterMs: 1000 });
      }
      held += bytes;
    },
    give(bytes) {
      held -= bytes;
    },
  };
}

export interface BodyLimits {
  maxBytes: number;
  budget: BodyBudget;
}

/** Reads the whole body and runs `work` with it. The body's bytes are released when `work` has ended. */
export async function withBody<Result>(
  { head, body }: Pick<IncomingExchange, 'head' | 'body'>,
  { maxBytes, budget }: BodyLimits,
  work: (body: Buffer) => Promise<Result>,
): Promise<Result> {
  let taken = 0;
  try {
    if (Number(head.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) {
      if (taken + chunk.length > maxBytes) throw tooLarge(maxBytes);
      budget.take(chunk.length);
      taken += chunk.length;
      chunks.push(chunk);
    }
    return await work(Buffer.concat(chunks));
  } finally {
    budget.give(taken);
  }
}

const tooLarge = (limit: number): GatewayError =>
  new GatewayError(
    'request_too_large',
    `The MCP request is larger than ${limit} bytes (MCP_MAX_BODY_BYTES). Send a smaller one.`,
  );

/** Older clients may send several messages at once. Each costs as much as a separate request. */
const maxBatch = 20;

/**
 * Reads one JSON-RPC message or a batch. Throws `invalid_json`, `request_too_large` if the JSON exceeds the limits, or
 * `invalid_parameters` if it is not JSON-RPC 2.0.
 */
export function readMessages(body: Buffer): RpcMessage | readonly RpcMessage[] {
  const value = parseJson(body);
  if (!Array.isArray(value)) return checkMessage(value);
  if (value.length === 0 || value.length > maxBatch) {
    throw invalidMessage(`A batch must have 1 to ${maxBatch} messages, not ${value.length}.`);
  }
  const messages = value.map(checkMessage);
  checkIds(messages);
  return messages;
}

/** Responses are matched to requests by id. */
function checkIds(messages: readonly RpcMessage[]): void {
  const ids = messages.flatMap(({ id, method }) => (id === undefined || method === undefined ? [] : id));
  if (new Set(ids).size < ids.length) throw invalidMessage('Each message of a batch needs a unique "id".');
}

/** The message omits the parser's text, which may quote the client's data. */
function parseJson(body: Buffer): unknown {
  const read = parseJsonBody([body], randomUUID);
  if (read.ok) return read.value;
  const { code, message } = read.problem;
  throw new GatewayError(code, code === 'invalid_json' ? 'Parse error: the body must be JSON.' : message);
}
