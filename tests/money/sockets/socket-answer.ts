import { problemOfError, problemOfForeignError } from '../answer-problem.ts';
import { type ClientRequest, costIn } from '../client.ts';
import type { SocketQuestion } from './socket-question.ts';

/** What is read of an event. */
export interface SocketEvent {
  type: string;
  stream_id?: string;
  sequence_number?: number;
  delta?: string;
  status?: number;
  error?: { code: string | null };
  response?: { id: string; output: readonly { content?: readonly { text?: string }[] }[] };
}

export interface SocketAnswer {
  events: readonly SocketEvent[];
  /** With which the socket was closed before the answer had ended. */
  code: number | undefined;
}

const ends = new Set(['response.completed', 'response.incomplete', 'response.failed', 'error']);

export const isEnd = ({ type }: SocketEvent): boolean => ends.has(type);

interface AnswerEnd {
  /** Of a complete response. */
  id?: string | undefined;
  /** The response that it continues was not found. */
  isForgotten?: boolean;
  request: Pick<ClientRequest, 'result'> & Partial<ClientRequest>;
}

/** What the events of one request mean for its client, and what is wrong with them. */
export function endOf(question: SocketQuestion, { events, code }: SocketAnswer): AnswerEnd {
  const last = events.at(-1);
  if (last === undefined || code !== undefined) return { request: cutOf(question, events, code) };
  if (last.type === 'response.completed') {
    const problem = problemOfEvents(question, events);
    const request = { whole: true, result: 'completed', cost: costIn(JSON.stringify(last)), problem };
    return { id: last.response?.id, request };
  }
  const text = JSON.stringify(last);
  if (last.type !== 'error') return { request: { result: last.type, problem: problemOfForeignError(text, 200) } };
  if (last.error?.code !== 'previous_response_not_found') {
    return { request: { result: `${last.status} ${last.error?.code}`, problem: problemOfError(text, last.status) } };
  }
  return { isForgotten: true, request: { result: forgotten, problem: 'the response that it continues is lost' } };
}

/** The result of a request whose previous response is lost, as if Redis was away. */
export const forgotten = 'forgotten';
const restarts = 1012;

/** A socket that restarts may have been closed before the request was read. It is never closed within an answer. */
function cutOf(
  { leaves }: SocketQuestion,
  events: readonly SocketEvent[],
  code: number | undefined,
): Pick<ClientRequest, 'result' | 'problem'> {
  if (leaves !== undefined) return { result: 'left a socket' };
  if (code === restarts && events.length === 0) return { result: `closed ${code}` };
  return { result: 'cut', problem: `a socket was closed with ${code} after ${events.length} events` };
}

function problemOfEvents({ mark, words }: SocketQuestion, events: readonly SocketEvent[]): string | undefined {
  if (events.some(({ sequence_number }, at) => sequence_number !== at)) return `${mark}: events are not in order`;
  const streamed = events.map(({ type, delta = '' }) => (type === 'response.output_text.delta' ? delta : '')).join('');
  const output = events.at(-1)?.response?.output ?? [];
  const text = output.flatMap(({ content = [] }) => content.map((part) => part.text ?? '')).join('');
  if (text !== streamed) return `the text of the response is not that of its events: ${streamed} ${text}`;
  const isWhole = words === undefined ? text.includes(`You said: "${mark}".`) : text.split(' ').length === words;
  return isWhole ? undefined : `a wrong answer: ${text.slice(0, 300)}`;
}
