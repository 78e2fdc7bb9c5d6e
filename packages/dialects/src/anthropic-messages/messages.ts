import type { ChatMessage, UserPart } from '@tallyport/wire';
import type { AssistantBlock, BlockCacheControl, UserBlock } from './block-schemas.ts';
import {
  cacheMarkOf,
  plainContent,
  toDocumentParts,
  toImagePart,
  toSearchResultPart,
  toTextPart,
} from './content-parts.ts';
import { orderOf, type SaidPart } from '../content-order.ts';
import type { MessagesTurnBody } from './request-schema.ts';
import { toSystemMessages } from './system.ts';
import { thoughtMembers } from './thoughts.ts';
import { toToolResult } from './tool-results.ts';

/** The turns of a conversation as messages. Turns of one role in a row are one turn to this API. */
export const toChatMessages = (turns: readonly MessagesTurnBody[]): ChatMessage[] => merged(turns).flatMap(messagesOf);

type MergedTurn =
  | { role: 'user'; blocks: UserBlock[] }
  | { role: 'assistant'; blocks: AssistantBlock[] }
  | { role: 'system'; turn: Extract<MessagesTurnBody, { role: 'system' }> };

function merged(turns: readonly MessagesTurnBody[]): MergedTurn[] {
  const found: MergedTurn[] = [];
  for (const turn of turns) {
    const last = found.at(-1);
    if (turn.role === 'system') found.push({ role: 'system', turn });
    else if (turn.role === 'user' && last?.role === 'user') pushAll(last.blocks, blocksOf(turn.content));
    else if (turn.role === 'user') found.push({ role: 'user', blocks: [...blocksOf(turn.content)] });
    else if (last?.role === 'assistant') pushAll(last.blocks, blocksOf(turn.content));
    else found.push({ role: 'assistant', blocks: [...blocksOf(turn.content)] });
  }
  return found;
}

type StringBlock = { type: 'text'; text: string };

const blocksOf = <Block>(content: string | Block[]): (Block | StringBlock)[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

/** In place: spreading a long list into arguments overflows the stack. */
function pushAll<Block>(blocks: Block[], added: readonly Block[]): void {
  for (const block of added) blocks.push(block);
}

function messagesOf(turn: MergedTurn): ChatMessage[] {
  switch (turn.role) {
    case 'user':
      return userMessages(turn.blocks);
    case 'assistant':
      return [assistantMessage(turn.blocks)];
    case 'system':
      return toSystemMessages(turn.turn.content);
    default:
      return turn satisfies never;
  }
}

/** Results of tools first: they have to follow the message with their calls. */
function userMessages(blocks: readonly UserBlock[]): ChatMessage[] {
  const results = blocks.filter((block) => block.type === 'tool_result').map(toToolResult);
  const parts = [...results.flatMap(({ attachments }) => attachments), ...blocks.flatMap(partsOf)];
  const isSilent = parts.length === 0 && results.length > 0;
  return [
    ...results.map(({ message }) => message),
    ...(isSilent ? [] : [{ role: 'user' as const, content: plainContent(parts) }]),
  ];
}

function partsOf(block: UserBlock): UserPart[] {
  switch (block.type) {
    case 'text':
      return [toTextPart(block)];
    case 'image':
      return [toImagePart(block)];
    case 'document':
      return toDocumentParts(block);
    case 'search_result':
      return [toSearchResultPart(block)];
    case 'tool_result':
      return [];
    default:
      return block satisfies never;
  }
}

function assistantMessage(blocks: readonly AssistantBlock[]): ChatMessage {
  const calls = blocks
    .filter((block) => block.type === 'tool_use')
    // A mark for the cache at a call has no counterpart: it is a hint, and the result that follows can have one.
    .map(({ id, name, input }) => ({
      id,
      type: 'function' as const,
      function: { name, arguments: JSON.stringify(input) },
    }));
  const content = assistantContent(blocks);
  return {
    role: 'assistant',
    content: content === '' && calls.length > 0 ? null : content,
    ...thoughtMembers(blocks),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...orderOf(blocks.flatMap(saidIn)),
  };
}

function saidIn(block: AssistantBlock): SaidPart[] {
  if (block.type === 'text') return [block.text.length];
  return block.type === 'tool_use' ? ['call'] : [];
}

/** The texts of one answer are one text that was cut where something is cited. */
function assistantContent(blocks: readonly AssistantBlock[]) {
  const parts = blocks.filter((block) => block.type === 'text').map(toTextPart);
  const isMarked = parts.some((part) => part.cache_control !== undefined);
  return isMarked ? parts : parts.map(({ text }) => text).join('');
}

/** A mark of the whole request means: at its end. */
export function withFinalMark(messages: ChatMessage[], control: BlockCacheControl): ChatMessage[] {
  const last = messages.at(-1);
  return !control || last === undefined ? messages : [...messages.slice(0, -1), { ...last, ...cacheMarkOf(control) }];
}
