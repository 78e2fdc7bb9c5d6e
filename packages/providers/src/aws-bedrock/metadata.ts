import type { ChatRequest } from '@tallyport/wire';

const MOST = 16;
/** Names and values the vendor accepts. Any other would make it refuse the whole request. */
const accepted = /^[\w\s:@$#=/+,.-]{1,256}$/;

/** The client's request metadata, with its user id. */
export function bedrockMetadata(request: ChatRequest): Record<string, string> | undefined {
  const { user, safety_identifier: identifier, metadata } = request;
  const notes = Object.entries({ ...metadata, user: user ?? identifier ?? '' }).filter(
    ([name, value]) => accepted.test(name) && accepted.test(value),
  );
  return notes.length === 0 ? undefined : Object.fromEntries(notes.slice(-MOST));
}
