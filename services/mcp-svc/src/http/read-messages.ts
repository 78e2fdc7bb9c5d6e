import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { GatewayError } from '@switchyard/contracts';

/** What one process holds of requests. */
export interface BodyBudget {
  /** Throws `overloaded` when there is no room. */
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

/** Runs `work` with the request's whole body; what the body takes is given back when the work has ended. */
export async function withBody<Result>(
  request: IncomingMessage,
  { maxBytes, budget }: BodyLimits,
  work: (body: Buffer) => Promise<Result>,
): Promise<Result> {
  let taken = 0;
  const take = (bytes: number): void => {
    if (taken + bytes > maxBytes) throw tooLarge(maxBytes);
    budget.take(bytes);
    taken += bytes;
  };
  try {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    return await work(await wholeBody(request, take));
  } finally {
    budget.give(taken);
  }
}

/** With events rather than an iterator: most bodies are one event. */
function wholeBody(request: IncomingMessage, take: (bytes: number) => void): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => {
      try {
        take(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        request.pause();
        reject(error as Error);
      }
    });
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () => {
      if (!request.complete) reject(new Error('The request broke off before its end.'));
    });
  });
}

const tooLarge = (limit: number): GatewayError =>
  new GatewayError('request_too_large', `An MCP request may have ${limit} bytes (MCP_MAX_BODY_BYTES). Send less.`);

/** Old clients may send several at once. Each costs like a request of its own. */
const maxBatch = 20;

export type RpcMessage = Record<string, unknown>;

/** Reads one JSON-RPC message or a batch. Throws `invalid_json`, or `invalid_parameters` for what is no JSON-RPC 2.0. */
export function readMessages(body: Buffer): RpcMessage | readonly RpcMessage[] {
  const value = parseJson(body);
  if (!Array.isArray(value)) return checkMessage(value);
  if (value.length === 0 || value.length > maxBatch) {
    throw invalidRequest(`A batch has 1 to ${maxBatch} messages, not ${value.length}.`);
  }
  return value.map(checkMessage);
}

function parseJson(body: Buffer): unknown {
  try {
    if (isUtf8(body)) return JSON.parse(body.toString());
  } catch {
    // Told below, without a cause: it may quote what the client wrote.
  }
  throw new GatewayError('invalid_json', 'Parse error: the body must be JSON.');
}

function checkMessage(value: unknown): RpcMessage {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest('A message must be a JSON object.');
  }
  if (!('jsonrpc' in value) || value.jsonrpc !== '2.0') throw invalidRequest('"jsonrpc" must be "2.0".');
  return { ...value };
}

const invalidRequest = (message: string): GatewayError =>
  new GatewayError('invalid_parameters', `Invalid request: ${message}`);
