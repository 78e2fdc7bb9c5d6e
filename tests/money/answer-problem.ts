import { errorTable, toGatewayError } from '@tallyport/contracts';
import { z } from 'zod';
import { isChat, kindOf } from './question-kinds.ts';
import type { Question } from './question.ts';

interface Answer {
  status: number;
  text: string;
}

const errorSchema = z.object({
  error: z.object({
    message: z.string().min(1),
    type: z.string(),
    param: z.string().nullable(),
    code: z.enum(Object.keys(errorTable)).nullable(),
  }),
});
const choiceSchema = z.object({ finish_reason: z.string().nullish() });
const completionSchema = z.object({
  choices: z.tuple([choiceSchema.extend({ message: z.object({ content: z.string() }) })]),
});
const chunkSchema = z.object({
  choices: z.array(choiceSchema.extend({ delta: z.object({ content: z.string().nullish() }) })),
});

/**
 * Returns why an answer is wrong; `undefined` for the complete answer to the question or an error of the error table.
 */
export function problemOfAnswer(question: Question, { status, text }: Answer): string | undefined {
  if (question.kind !== undefined) return problemOfEnd(question, { status, text });
  if (status !== 200) return problemOfError(text, status);
  return question.stream ? problemOfStream(question, text) : problemOfCompletion(question, text);
}

/** Returns why an error is wrong; `undefined` for one of the error table. */
export function problemOfError(text: string, status?: number): string | undefined {
  const { data } = errorSchema.safeParse(parsed(text));
  if (data === undefined) return `an error that is not typed: ${status} ${text.slice(0, 300)}`;
  // A request that did not arrive in time has no code. This happens when the client runs on a very busy machine.
  if (data.error.code === null && status === 408) return undefined;
  const known = Object.entries(errorTable).find(([code]) => code === data.error.code)?.[1];
  // The Responses API has no status 529.
  const isKnown = known !== undefined && (status === known.status || (known.status === 529 && status === 503));
  if (known === undefined || (status !== undefined && !isKnown)) return `${data.error.code} with the status ${status}`;
  return data.error.code === 'internal_error' ? `internal_error: ${data.error.message}` : undefined;
}

/** Of answers in other formats, and with other texts, only the end is checked, which may be an error. */
function problemOfEnd({ kind, stream }: Question, { status, text }: Answer): string | undefined {
  if (text.includes(kindOf(kind).ends[Number(stream)] ?? '')) return undefined;
  if (!isChat(kind)) return problemOfForeignError(text, status);
  return status === 200 && stream ? problemOfError(eventsIn(text).at(-1) ?? '') : problemOfError(text, status);
}

const internalMessage = toGatewayError(undefined).message;

/** Other formats have no codes of ours, but only `internal_error` has the status 500. */
export function problemOfForeignError(text: string, status: number): string | undefined {
  if (status === 500 || /"internal_error"|"INTERNAL"/.test(text) || text.includes(internalMessage))
    return `internal_error: ${status} ${text.slice(-300)}`;
  return /"error":\{|"type":"error"/.test(text) ? undefined : `no end: ${text.slice(-300)}`;
}

function problemOfCompletion(question: Question, text: string): string | undefined {
  const { data } = completionSchema.safeParse(parsed(text));
  if (data === undefined) return `no completion: ${text.slice(0, 300)}`;
  const [{ message, finish_reason }] = data.choices;
  return problemOfContent(question, message.content, finish_reason);
}

function problemOfStream(question: Question, text: string): string | undefined {
  const events = eventsIn(text);
  const last = events.pop() ?? '';
  if (last !== '[DONE]') return problemOfError(last);
  const choices = events.flatMap((event) => chunkSchema.safeParse(parsed(event)).data?.choices ?? []);
  const content = choices.map(({ delta }) => delta.content ?? '').join('');
  return problemOfContent(question, content, choices.find(({ finish_reason }) => finish_reason)?.finish_reason);
}

const eventsIn = (text: string): string[] =>
  text
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => event.slice('data: '.length).trim());

function problemOfContent({ mark, words }: Question, content: string, reason: string | null | undefined) {
  const isWhole = words === undefined ? content.includes(`You said: "${mark}".`) : content.split(' ').length === words;
  if (isWhole && reason === 'stop' && content.startsWith('This is a simulated answer from ')) return undefined;
  return `a wrong answer: ${reason} ${content.slice(0, 300)}`;
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
