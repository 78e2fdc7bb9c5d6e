import { hash } from 'node:crypto';
import { oncePer } from '@tallyport/contracts';
import type { ChatMessage } from '@tallyport/wire';

/** A hash of the messages of a conversation before a place. */
type BeginningAt = (place: number) => string;

/**
 * What is before a message, so that what belongs to it is found in the same conversation only: some vendors number their
 * calls, and two conversations may be the same up to their last question. Each message is hashed once, onto those before it.
 */
export const beginningsOf = oncePer((messages: readonly ChatMessage[]): BeginningAt => {
  const beginnings = [''];
  return (place) => {
    for (const message of messages.slice(beginnings.length - 1, place))
      beginnings.push(hash('sha256', `${beginnings.at(-1)} ${saidIn(message)}`, 'base64url'));
    return beginnings[place] ?? '';
  };
});

/** What clients leave out of an earlier message, add to it or move to another one, while the conversation stays the same. */
const changing: ReadonlySet<string> = new Set([
  'annotations',
  'cache_control',
  'content_order',
  'extra_content',
  'reasoning',
  'reasoning_content',
  'reasoning_details',
]);

const saidIn = (message: ChatMessage): string =>
  JSON.stringify({ ...message, content: partsOf(message) }, (name, value: unknown) =>
    value === null || changing.has(name) ? undefined : value,
  );

/** Some clients write a text as a part when they mark it for a cache. */
const partsOf = ({ content }: ChatMessage): readonly object[] =>
  typeof content === 'string' ? (content === '' ? [] : [{ type: 'text', text: content }]) : (content ?? []);
