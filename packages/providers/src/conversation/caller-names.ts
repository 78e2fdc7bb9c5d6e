import { createHash } from 'node:crypto';
import { oncePer } from '@tallyport/contracts';
import type { ChatMessage } from '@tallyport/wire';
import { isCaller } from './calls.ts';
import { questionBegins } from './questions.ts';
import { messageText } from './text-parts.ts';

/**
 * For each message with calls, a name under which something that belongs to it is remembered: the id of its first call.
 * Some vendors number their ids, and the same ones occur in every conversation. Their names also depend on the question.
 */
export function callerNames(messages: readonly ChatMessage[]): (string | undefined)[] {
  const { named } = follow(messages);
  return named;
}

/** The name of a message's `reasoning_details`, of any vendor. */
export const detailsName = (name: string): string => `details ${name}`;

/** The name of the message that answers these. */
export const answerName = (messages: readonly ChatMessage[], firstCall: string): string =>
  nameAt(firstCall, follow(messages).place);

/** A place in a conversation: its last question, and how many messages with calls follow it. */
interface Place {
  question: ChatMessage | undefined;
  callers: number;
}

function follow(messages: readonly ChatMessage[]): { named: (string | undefined)[]; place: Place } {
  const begins = questionBegins(messages);
  let place: Place = { question: undefined, callers: 0 };
  const named = messages.map((message, index) => {
    if (begins[index] === true) place = { question: message, callers: 0 };
    if (!isCaller(message)) return undefined;
    const name = nameAt(message.tool_calls?.[0]?.id ?? '', place);
    place = { ...place, callers: place.callers + 1 };
    return name;
  });
  return { named, place };
}

const nameAt = (firstCall: string, { question, callers }: Place): string =>
  isRandom(firstCall) ? firstCall : `${firstCall} ${callers} ${question === undefined ? '' : hashOf(question)}`;

/** A question may be long, and the same one is read for each offer. */
const hashOf = oncePer((question: ChatMessage) =>
  createHash('sha256').update(messageText(question)).digest('base64url'),
);

/** Long enough not to occur twice, and not made of the function's name. */
const isRandom = (id: string): boolean =>
  !id.startsWith('functions.') && /[A-Za-z\d]{12}/.test(id) && /\d/.test(id) && /[A-Za-z]/.test(id);
