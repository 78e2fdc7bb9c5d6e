import type { ChatRequest } from '@tallyport/wire';

/**
 * Members that affect how an answer is delivered, billed or filed, but not its content. All others count: a request
 * with an unknown member is a different request.
 */
export const uncountedMembers: ReadonlySet<string> = new Set([
  // The model it resolves to counts instead.
  'model',
  // Either form can be made from the other.
  'stream',
  'stream_options',
  // Labels for the vendor's records and abuse detection.
  'metadata',
  'safety_identifier',
  'user',
  // Whether the vendor files the answer; with `true` nothing is cached at all.
  'store',
  // Where and how long the vendor caches the prompt, which affects only the price.
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
]);

/** The members of a chat that affect its answer. */
export const countedMembers = (request: ChatRequest): Record<string, unknown> =>
  Object.fromEntries(Object.entries(request).filter(([name]) => !uncountedMembers.has(name)));
