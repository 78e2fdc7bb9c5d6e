import { problemOfAnswer } from './answer-problem.ts';
import type { Question } from './question.ts';
import type { MoneySystem } from './system.ts';

/** One request of a client and its result. */
export interface ClientRequest {
  mark: string;
  /** The client disconnected on purpose. */
  left: boolean;
  /** The client received a complete answer that was not from the cache. */
  whole: boolean;
  /** Start and end for the client, in milliseconds. */
  from: number;
  until: number;
  /** Answered from the cache: costs nothing, and needs no ledger line. */
  hit: boolean;
  /** Index of the edge. */
  edge: number;
  /** The status, or how the connection ended. */
  result: string;
  /** Why the answer is wrong. */
  problem?: string | undefined;
}

/** Longer than every timeout in the gateway. */
export const longestMs = 45_000;

export function bodyOf({ mark, stream, words }: Question): string {
  const content = words === undefined ? mark : `${mark} [words:${words}]`;
  return JSON.stringify({ model: 'sandbox-chat', messages: [{ role: 'user', content }], stream });
}

export const headersOf = ({ gateway }: MoneySystem, { mark, apiKey = gateway.apiKey }: Question) => ({
  authorization: `Bearer ${apiKey}`,
  'content-type': 'application/json',
  'x-request-id': mark,
});

/** Sends one question and reads the answer until its end, or until the client leaves. */
export async function ask(system: MoneySystem, question: Question): Promise<ClientRequest> {
  const { mark, stream, leaveAfterMs, edge = 0 } = question;
  const leaving = new AbortController();
  const timer = setTimeout(() => leaving.abort(), leaveAfterMs ?? longestMs);
  const request = { mark, left: leaveAfterMs !== undefined, from: Date.now(), edge, whole: false, hit: false };
  try {
    const response = await fetch(`${system.gateway.baseUrls[edge]}/v1/chat/completions`, {
      method: 'POST',
      headers: headersOf(system, question),
      body: bodyOf(question),
      signal: leaving.signal,
    });
    const text = await response.text();
    const hit = response.headers.get('x-tallyport-cache') === 'HIT';
    const { status } = response;
    const isWhole = stream ? text.trimEnd().endsWith('data: [DONE]') : status === 200 && text.endsWith('}');
    const problem = problemOfAnswer(question, { status, text });
    return { ...request, until: Date.now(), whole: isWhole && !hit, hit, result: String(status), problem };
  } catch (error) {
    const problem = request.left ? undefined : `no answer: ${describe(error)}`;
    return { ...request, until: Date.now(), result: request.left ? 'left' : 'no answer', problem };
  } finally {
    clearTimeout(timer);
  }
}

export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
