import type { ChatRequest } from '@switchyard/wire';

const MOST = 16;
/** What the vendor takes; anything else would have the whole request refused. */
const accepted = /^[\w\s:@$#=/+,.-]{1,256}$/;

/** Notes of the client's for its own books: who asks, and what it wrote beside. */
export function bedrockMetadata(request: ChatRequest): Record<string, string> | undefined {
  const { user, safety_identifier: identifier, metadata } = request;
  const notes = Object.entries({ ...metadata, user: user ?? identifier ?? '' }).filter(
    ([name, value]) => accepted.test(name) && accepted.test(value),
  );
  return notes.length === 0 ? undefined : Object.fromEntries(notes.slice(-MOST));
}
