import type { ChatRequest } from '@switchyard/wire';

/**
 * Members that change how an answer is delivered, billed or filed, but not what it says. All others count: a request with
 * an unknown member is another request.
 */
export const uncountedMembers: ReadonlySet<string> = new Set([
  // What it was resolved to counts instead.
  'model',
  // Either form is made of the other.
  'stream',
  'stream_options',
  // Labels for the vendor's records and its watch for abuse.
  'metadata',
  'safety_identifier',
  'user',
  // Whether the vendor files the answer: with `true` nothing is cached at all.
  'store',
  // Where and how long the vendor keeps the prompt: a matter of price.
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
]);

/** What of a chat makes its answer another. */
export const countedMembers = (request: ChatRequest): Record<string, unknown> =>
  Object.fromEntries(Object.entries(request).filter(([name]) => !uncountedMembers.has(name)));
