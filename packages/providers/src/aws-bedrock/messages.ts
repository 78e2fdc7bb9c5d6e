import type { BedrockBlock, BedrockMessage } from '@switchyard/wire';
import type { AssistantTurn, Conversation, Turn } from '../conversation/conversation.ts';
import type { Result } from '../conversation/results.ts';
import { textPartsOf } from '../conversation/text-parts.ts';
import { createDocumentNames, type DocumentNames } from './documents.ts';
import type { BedrockRules } from './models.ts';
import { blocksOfPart, cachePointAfter } from './parts.ts';
import { reasoningBlocks } from './reasoning.ts';

export interface MessageRules {
  rules: BedrockRules;
  callId(id: string): string;
  /** Whether the model thinks in this request: only then it takes its earlier thinking back. */
  thinks: boolean;
}

interface MessageContext extends MessageRules {
  documentName: DocumentNames;
}

/** Roles alternate and the user begins: what belongs to one side is one message, results of calls before the words. */
export function messagesOf({ turns }: Conversation, rules: MessageRules): BedrockMessage[] {
  const making: MessageContext = { ...rules, documentName: createDocumentNames() };
  const messages: { role: 'user' | 'assistant'; content: BedrockBlock[] }[] = [];
  for (const turn of turns) {
    const role = turn.role === 'assistant' ? 'assistant' : 'user';
    const content = blocksOf(turn, making);
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) messages.push({ role, content });
  }
  trimEnd(messages.at(-1));
  return messages[0]?.role === 'user' ? messages : [{ role: 'user', content: [{ text: OPENING }] }, ...messages];
}

/** An answer to be gone on with may not end in blanks. */
function trimEnd(last: { role: string; content: BedrockBlock[] } | undefined): void {
  const block = last?.content.at(-1);
  if (last?.role !== 'assistant' || block === undefined || !('text' in block)) return;
  last.content[last.content.length - 1] = { text: block.text.trimEnd() || '.' };
}

/** Stands for the user where a conversation begins with the model's words: the vendor refuses that, and empty texts. */
const OPENING = '(The conversation begins.)';

function blocksOf(turn: Turn, making: MessageContext): BedrockBlock[] {
  switch (turn.role) {
    case 'user':
      return turn.parts.flatMap((part) => blocksOfPart(part, making));
    case 'assistant':
      return assistantBlocks(turn, making);
    case 'results':
      return turn.results.flatMap((result) => resultBlocks(result, making));
    default:
      return turn satisfies never;
  }
}

function assistantBlocks({ message, calls }: AssistantTurn, { rules, callId, thinks }: MessageContext): BedrockBlock[] {
  return [
    ...(thinks ? reasoningBlocks(message) : []),
    ...spokenParts(message.content).flatMap((part) => [{ text: part.text }, ...cachePointAfter(part.sent, rules)]),
    ...calls.map(({ id, name, input }) => ({ toolUse: { toolUseId: callId(id), name, input } })),
  ];
}

/** Refusals are words like any others to the model that said them. */
function spokenParts(content: AssistantTurn['message']['content']) {
  if (!Array.isArray(content)) return textPartsOf(content ?? '').map((part) => ({ text: part.text, sent: part }));
  return content
    .map((part) => ({ text: part.type === 'text' ? part.text : part.refusal, sent: part }))
    .filter(({ text }) => text !== '');
}

function resultBlocks({ call, parts }: Result, { rules, callId }: MessageContext): BedrockBlock[] {
  const content = parts.map(({ text }) => ({ text }));
  const result = { toolUseId: callId(call.id), content: content.length === 0 ? [{ text: NO_OUTPUT }] : content };
  return [{ toolResult: result }, ...parts.slice(-1).flatMap((part) => cachePointAfter(part, rules))];
}

/** A result has to say something. */
const NO_OUTPUT = '(no output)';
