import { GatewayError } from '@tallyport/contracts';
import type { ChatMessage, ChatRequest, UserPart } from '@tallyport/wire';
import { type EarlierCall, callsOf, type ToolMessage } from './calls.ts';
import { withMarkedParts } from './marked-parts.ts';
import { lastQuestion } from './questions.ts';
import { orderedResults, type Result } from './results.ts';
import { textPartsOf, type TextPart } from './text-parts.ts';
import { createUniqueIds } from './unique-ids.ts';

export type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>;

/** A part of a user message and its path in the request, which error messages name. */
export interface LocatedPart {
  part: UserPart;
  path: string;
}

export interface AssistantTurn {
  role: 'assistant';
  message: AssistantMessage;
  /** Its index in the request. */
  place: number;
  path: string;
  calls: readonly EarlierCall[];
}

export type Turn =
  /** `parts` is empty if the user message is. */
  | { role: 'user'; parts: LocatedPart[] }
  | AssistantTurn
  /** One result for each call of the turn before, in the order of the calls. */
  | { role: 'results'; results: readonly Result[] };

/** The messages of a request as turns, for vendors that keep instructions separate and group the results of a turn. */
export interface Conversation {
  instructions: TextPart[];
  turns: Turn[];
}

/** Throws for results without a call and calls without a result. */
export function readConversation(request: ChatRequest): Conversation {
  const messages = request.messages.map(withMarkedParts);
  const instructions: TextPart[] = [];
  const turns: Turn[] = [];
  const uniqueId = createUniqueIds();
  let at = 0;
  for (let message = messages[at]; message !== undefined; message = messages[at]) {
    const path = `messages[${at}]`;
    at += 1;
    if (message.role === 'system' || message.role === 'developer') instructions.push(...textPartsOf(message.content));
    else if (message.role === 'user') addUserParts(turns, message.content, path);
    else if (message.role === 'assistant') {
      const calls = callsOf(message, path).map((call) => ({ ...call, uniqueId: uniqueId(call.id) }));
      const answers = toolMessagesFrom(messages, at);
      turns.push({ role: 'assistant', message, place: at - 1, path, calls });
      if (calls.length > 0) turns.push({ role: 'results', results: orderedResults(calls, answers) });
      else if (answers.length > 0) throw resultWithoutCall(at);
      at += answers.length;
    } else throw resultWithoutCall(at - 1);
  }
  return { instructions, turns };
}

/** The first turn with calls behind the last question. */
export const firstCaller = (turns: readonly Turn[]): AssistantTurn | undefined =>
  turns
    .slice(lastQuestion(turns) + 1)
    .filter((turn) => turn.role === 'assistant')
    .find(({ calls }) => calls.length > 0);

function addUserParts(turns: Turn[], content: string | readonly UserPart[], path: string): void {
  const said = partsOf(content, path).filter(({ part }) => part.type !== 'text' || part.text !== '');
  const last = turns.at(-1);
  if (last?.role === 'user') last.parts.push(...said);
  // An empty user message after an answer still counts as a turn: the model must not continue its answer.
  else if (said.length > 0 || turns.length > 0) turns.push({ role: 'user', parts: said });
}

const partsOf = (content: string | readonly UserPart[], path: string): LocatedPart[] =>
  typeof content === 'string'
    ? [{ part: { type: 'text', text: content }, path: `${path}.content` }]
    : content.map((part, index) => ({ part, path: `${path}.content[${index}]` }));

function toolMessagesFrom(messages: readonly ChatMessage[], from: number): ToolMessage[] {
  const found: ToolMessage[] = [];
  for (const message of messages.slice(from)) {
    if (message.role !== 'tool' && message.role !== 'function') break;
    found.push({ message, path: `messages[${from + found.length}]` });
  }
  return found;
}

const resultWithoutCall = (index: number): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    `messages[${index}]: a tool result must follow the assistant message that made the call.`,
    { param: `messages[${index}].role` },
  );
