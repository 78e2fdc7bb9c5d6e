import { problemOfAnswer } from './answer-problem.ts';
import { isChat, kindOf } from './question-kinds.ts';
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
  /** `usage.cost` of a complete answer. */
  cost?: string | undefined;
  /** Whether it is a complete chat without a cost. */
  lacksCost?: boolean;
  /** Why the answer is wrong. */
  problem?: string | undefined;
}

/** Longer than every timeout in the gateway. */
export const longestMs = 45_000;

export const bodyOf = ({ kind, ...question }: Question): string => JSON.stringify(kindOf(kind).body(question));

export const headersOf = ({ gateway }: MoneySystem, { mark, kind, apiKey = gateway.apiKey }: Question) => ({
  ...kindOf(kind).headers,
  authorization: `Bearer ${apiKey}`,
  'content-type': 'application/json',
  'x-request-id': mark,
});

/** Sends one question and reads the answer until its end, or until the client leaves. */
export async function ask(system: MoneySystem, question: Question): Promise<ClientRequest> {
  const { mark, stream, kind, leaveAfterMs, edge = 0 } = question;
  const leaving = new AbortController();
  const timer = setTimeout(() => leaving.abort(), leaveAfterMs ?? longestMs);
  const request = { mark, left: leaveAfterMs !== undefined, from: Date.now(), edge, whole: false, hit: false };
  try {
    const response = await fetch(`${system.gateway.baseUrls[edge]}${kindOf(kind).path(stream)}`, {
      method: 'POST',
      headers: headersOf(system, question),
      body: bodyOf(question),
      signal: leaving.signal,
    });
    const text = await response.text();
    const hit = response.headers.get('x-tallyport-cache') === 'HIT';
    const { status } = response;
    const isWhole = status === 200 && text.includes(kindOf(kind).ends[Number(stream)] ?? '');
    const problem = problemOfAnswer(question, { status, text });
    const whole = isWhole && !hit;
    const cost = whole ? costIn(text) : undefined;
    const lacksCost = whole && isChat(kind) && cost === undefined;
    return { ...request, until: Date.now(), whole, hit, result: String(status), problem, cost, lacksCost };
  } catch (error) {
    const problem = request.left ? undefined : `no answer: ${describe(error)}`;
    return { ...request, until: Date.now(), result: request.left ? 'left' : 'no answer', problem };
  } finally {
    clearTimeout(timer);
  }
}

/** `usage.cost` of an answer, which is in its last event. */
export const costIn = (text: string): string | undefined => [...text.matchAll(/"cost":([\d.e-]+)/g)].at(-1)?.[1];

export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}
