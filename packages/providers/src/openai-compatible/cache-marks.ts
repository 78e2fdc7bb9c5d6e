import { isMembers, items, type Members } from '../read.ts';
import { leaveOut, type VendorBody } from './vendor-body.ts';

/**
 * Members that mark where a cached prompt ends. Clients of Anthropic's API always set `cache_control`; OpenAI's newest
 * models read `prompt_cache_breakpoint`.
 */
export const cacheMarks = ['cache_control', 'prompt_cache_breakpoint'] as const;

export type CacheMark = (typeof cacheMarks)[number];

/** Removes other marks than these from the body, messages, parts and tools: strict vendors refuse them. */
export function leaveOutCacheMarks(body: VendorBody, kept: readonly CacheMark[] = []): void {
  for (const mark of cacheMarks) if (!kept.includes(mark)) leaveOutMark(body, mark);
}

function leaveOutMark(body: VendorBody, mark: CacheMark): void {
  leaveOut(body, mark);
  const messages = items(body.messages);
  if (messages.some((message) => hasMark(message, mark))) {
    body.messages = messages.map((message) => withoutMarks(message, mark));
  }
  const tools = items(body.tools);
  if (tools.some((tool) => isMarked(tool, mark))) body.tools = tools.map((tool) => withoutMark(tool, mark));
}

const hasMark = (message: unknown, mark: CacheMark): boolean =>
  isMarked(message, mark) || (isMembers(message) && hasMarkedPart(message.content, mark));

const hasMarkedPart = (content: unknown, mark: CacheMark): content is unknown[] =>
  Array.isArray(content) && content.some((part) => isMarked(part, mark));

function withoutMarks(message: unknown, mark: CacheMark): unknown {
  const plain = withoutMark(message, mark);
  if (!isMembers(plain) || !hasMarkedPart(plain.content, mark)) return plain;
  return { ...plain, content: plain.content.map((part) => withoutMark(part, mark)) };
}

const isMarked = (value: unknown, mark: CacheMark): value is Members => isMembers(value) && mark in value;

function withoutMark(value: unknown, mark: CacheMark): unknown {
  if (!isMarked(value, mark)) return value;
  const { [mark]: _mark, ...rest } = value;
  return rest;
}
