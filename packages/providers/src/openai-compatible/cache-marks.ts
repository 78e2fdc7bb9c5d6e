import { isMembers, items, type Members } from '../read.ts';
import type { VendorBody } from './vendor-body.ts';

const mark = 'cache_control';

/**
 * Removes `cache_control` from messages, parts and tools. Clients of Anthropic's API always set it, and strict vendors
 * refuse it.
 */
export function leaveOutCacheMarks(body: VendorBody): void {
  const messages = items(body.messages);
  if (messages.some(hasMarks)) body.messages = messages.map(withoutMarks);
  const tools = items(body.tools);
  if (tools.some(isMarked)) body.tools = tools.map(withoutMark);
}

const hasMarks = (message: unknown): boolean =>
  isMarked(message) || (isMembers(message) && Array.isArray(message.content) && message.content.some(isMarked));

function withoutMarks(message: unknown): unknown {
  const plain = withoutMark(message);
  if (!isMembers(plain) || !Array.isArray(plain.content) || !plain.content.some(isMarked)) return plain;
  return { ...plain, content: plain.content.map(withoutMark) };
}

const isMarked = (value: unknown): value is Members => isMembers(value) && mark in value;

function withoutMark(value: unknown): unknown {
  if (!isMarked(value)) return value;
  const { [mark]: _mark, ...rest } = value;
  return rest;
}
