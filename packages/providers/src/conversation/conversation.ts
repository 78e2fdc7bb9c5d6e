import { GatewayError } from '@switchyard/contracts';
import type { ChatMessage, ChatRequest, UserPart } from '@switchyard/wire';
import { type EarlierCall, callsOf, type ToolMessage } from './calls.ts';
import { orderedResults, type Result } from './results.ts';
import { textPartsOf, type TextPart } from './text-parts.ts';

export type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>;

/** A part of what a user said, and where in the request it stands: problems name it. */
export interface LocatedPart {
  part: UserPart;
  path: string;
}

export interface AssistantTurn {
  role: 'assistant';
  message: AssistantMessage;
  path: string;
  calls: readonly EarlierCall[];
}

export type Turn =
  | { role: 'user'; parts: LocatedPart[] }
  | AssistantTurn
  /** One for each call of the turn before, in the order of the calls. */
  | { role: 'results'; results: readonly Result[] };

/** The messages of a request as turns, for vendors that keep instructions apart and want the results of a turn together. */
export interface Conversation {
  instructions: TextPart[];
  turns: Turn[];
}

/** Throws what the client can mend: results nobody asked for, calls without a result, arguments that are not JSON. */
export function readConversation({ messages }: ChatRequest): Conversation {
  const instructions: TextPart[] = [];
  const turns: Turn[] = [];
  let at = 0;
  for (let message = messages[at]; message !== undefined; message = messages[at]) {
    const path = `messages[${at}]`;
    at += 1;
    if (message.role === 'system' || message.role === 'developer') instructions.push(...textPartsOf(message.content));
    else if (message.role === 'user') addUserParts(turns, message.content, path);
    else if (message.role === 'assistant') {
      const turn: AssistantTurn = { role: 'assistant', message, path, calls: callsOf(message, path) };
      const answers = toolMessagesFrom(messages, at);
      turns.push(turn);
      if (turn.calls.length > 0) turns.push({ role: 'results', results: orderedResults(turn.calls, answers) });
      else if (answers.length > 0) throw resultOfNothing(at);
      at += answers.length;
    } else throw resultOfNothing(at - 1);
  }
  return { instructions, turns };
}

function addUserParts(turns: Turn[], content: string | readonly UserPart[], path: string): void {
  const said = partsOf(content, path).filter(({ part }) => part.type !== 'text' || part.text !== '');
  const last = turns.at(-1);
  if (last?.role === 'user') last.parts.push(...said);
  else if (said.length > 0) turns.push({ role: 'user', parts: said });
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

const resultOfNothing = (index: number): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    `messages[${index}]: a tool result has to follow the assistant message with its call.`,
    { param: `messages[${index}].role` },
  );
