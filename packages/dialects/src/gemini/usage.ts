import type { Usage } from '@tallyport/wire';
import type { GeminiUsage } from './answer-types.ts';

/** This API counts thinking apart from the answer, and cached tokens as part of the prompt. */
export function toGeminiUsage({ prompt_tokens: prompt, completion_tokens: completion, ...usage }: Usage): GeminiUsage {
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
  const thought = Math.min(usage.completion_tokens_details?.reasoning_tokens ?? 0, completion);
  return {
    promptTokenCount: prompt,
    ...(cached > 0 && { cachedContentTokenCount: cached }),
    candidatesTokenCount: completion - thought,
    ...(thought > 0 && { thoughtsTokenCount: thought }),
    totalTokenCount: prompt + completion,
  };
}
