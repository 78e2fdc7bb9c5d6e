import type { ChatOutcome } from '@tallyport/dispatch';
import { findChatProvider, repeatedPart } from '@tallyport/providers';
import type { ChatRequest } from '@tallyport/wire';

/**
 * An estimate of the tokens that marks would have let the vendor read from its cache: those that the turn before had sent
 * already. 0 if the vendor caches without marks, or used its cache.
 */
export function cacheableTokens(
  request: ChatRequest,
  { served, usage }: Pick<ChatOutcome, 'served' | 'usage'>,
): number {
  const marking = served && findChatProvider(served.providerId)?.cacheMarking?.(served);
  if (marking === undefined || marking.implicit || usage === undefined) return 0;
  const { cached_tokens: read, cache_write_tokens: written } = usage.prompt_tokens_details ?? {};
  if ((read ?? 0) + (written ?? 0) > 0) return 0;
  const tokens = Math.floor(usage.prompt_tokens * repeatedPart(request));
  return tokens < marking.leastTokens ? 0 : tokens;
}
