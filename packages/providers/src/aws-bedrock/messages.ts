import type { BedrockBlock, BedrockMessage } from '@tallyport/wire';
import type { AssistantTurn, Conversation, Turn } from '../conversation/conversation.ts';
import type { EarlierCall } from '../conversation/calls.ts';
import type { Result } from '../conversation/results.ts';
import { saidInOrder } from '../conversation/said-in-order.ts';
import { textPartsOf } from '../conversation/text-parts.ts';
import type { Members } from '../read.ts';
import { createDocumentNames, type DocumentNames } from './documents.ts';
import type { BedrockRules } from './models.ts';
import { blocksOfPart, cachePointAfter } from './parts.ts';
import { reasoningBlocks } from './reasoning.ts';

interface MessageRules {
  rules: BedrockRules;
  callId(id: string): string;
  /** Whether the model thinks in this request. Only then does it accept its earlier thinking. */
  thinks: boolean;
  /** Whether the model may continue its own text at the end of the conversation. */
  prefill: boolean;
}

interface MessageContext extends MessageRules {
  documentName: DocumentNames;
}

interface OwnMessage {
  role: 'user' | 'assistant';
  content: BedrockBlock[];
}

const userSays = (text: string): OwnMessage => ({ role: 'user', content: [{ text }] });

/**
 * Roles alternate and a user message is first. Consecutive turns of one role form one message, tool results before
 * text.
 */
export function messagesOf({ turns }: Conversation, options: MessageRules): BedrockMessage[] {
  const messages = alternating(turns, { ...options, documentName: createDocumentNames() });
  const isBegun = messages.at(-1)?.role === 'assistant';
  const isSilent = messages.length === 0 || (isBegun && turns.at(-1)?.role === 'user');
  if (isSilent || (isBegun && !options.prefill)) messages.push(userSays(CLOSING));
  trimEnd(messages.at(-1));
  return messages[0]?.role === 'user' ? messages : [userSays(OPENING), ...messages];
}

function alternating(turns: readonly Turn[], making: MessageContext): OwnMessage[] {
  const messages: OwnMessage[] = [];
  for (const turn of turns) {
    const role = turn.role === 'assistant' ? 'assistant' : 'user';
    const content = blocksOf(turn, making).filter(hasContent);
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) messages.push({ role, content });
  }
  return messages;
}

/** The vendor refuses a prefilled answer that ends in whitespace. */
function trimEnd(last: OwnMessage | undefined): void {
  const block = last?.content.at(-1);
  if (last?.role !== 'assistant' || block === undefined || !('text' in block)) return;
  last.content[last.content.length - 1] = { text: block.text.trimEnd() };
}

/** False for blank text, which the vendor refuses. */
const hasContent = (block: BedrockBlock): boolean => !('text' in block) || block.text.trim() !== '';

/** Sent before a conversation that begins with an assistant message, which the vendor refuses, like empty text. */
const OPENING = '(The conversation begins.)';
/** Sent as the last user message if the user's own is empty or the model cannot continue its own text (prefill). */
const CLOSING = 'Continue.';

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

function assistantBlocks(turn: AssistantTurn, { rules, callId, thinks }: MessageContext): BedrockBlock[] {
  const { message } = turn;
  const blocksOfText = ({ text, sent }: SpokenPart): BedrockBlock[] =>
    text.trim() === '' ? [] : [{ text }, ...cachePointAfter(sent, rules)];
  const said = saidInOrder(turn, spokenParts(message)).map((piece) =>
    piece.kind === 'text'
      ? { isText: true, blocks: blocksOfText(piece.text) }
      : { isText: false, blocks: callBlocks(piece.call, callId) },
  );
  // A refusal is sent back as ordinary text of the assistant.
  const refused = { isText: true, blocks: blocksOfText({ text: message.refusal ?? '', sent: {} }) };
  const spoken = said.toSpliced(said.findLastIndex(({ isText }) => isText) + 1, 0, refused);
  return [...(thinks ? reasoningBlocks(message) : []), ...spoken.flatMap(({ blocks }) => blocks)];
}

const callBlocks = ({ uniqueId, name, input }: EarlierCall, callId: MessageRules['callId']): BedrockBlock[] => [
  { toolUse: { toolUseId: callId(uniqueId), name, input } },
];

interface SpokenPart {
  text: string;
  sent: Members;
}

const spokenParts = ({ content }: AssistantTurn['message']): SpokenPart[] =>
  Array.isArray(content)
    ? content.map((part) => ({ text: part.type === 'text' ? part.text : part.refusal, sent: part }))
    : textPartsOf(content ?? '').map((part) => ({ text: part.text, sent: part }));

function resultBlocks({ call, parts }: Result, { rules, callId }: MessageContext): BedrockBlock[] {
  const content = parts.map(({ text }) => ({ text })).filter(hasContent);
  const result = { toolUseId: callId(call.uniqueId), content: content.length === 0 ? [{ text: NO_OUTPUT }] : content };
  return [{ toolResult: result }, ...parts.slice(-1).flatMap((part) => cachePointAfter(part, rules))];
}

/** The vendor refuses an empty tool result. */
const NO_OUTPUT = '(no output)';
