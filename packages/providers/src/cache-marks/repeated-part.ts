import type { ChatRequest } from '@tallyport/wire';
import { lengthOf } from './mark-places.ts';
import { chatOutline } from './marked-chat.ts';

/** The part of a prompt that the turn before had sent already, from 0 to 1, by the length of its texts. */
export function repeatedPart(request: ChatRequest): number {
  const { tools, system, messages, previous } = chatOutline(request);
  if (previous < 0) return 0;
  const repeated = lengthOf([tools, system, messages.slice(0, previous + 1)], 0, Infinity);
  return repeated / lengthOf(messages.slice(previous + 1), repeated, Infinity);
}
