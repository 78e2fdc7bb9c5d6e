import type { Usage } from '@tallyport/wire';
import type { InteractionUsage } from './answer-types.ts';

/** This API counts thinking apart from the answer, what tools read apart from the prompt, and cached tokens as part of it. */
export function interactionUsage({
  prompt_tokens: prompt,
  completion_tokens: completion,
  ...usage
}: Usage): InteractionUsage {
  const { cached_tokens: cached = 0, tool_prompt_tokens: tools = 0 } = usage.prompt_tokens_details ?? {};
  const thought = Math.min(usage.completion_tokens_details?.reasoning_tokens ?? 0, completion);
  return {
    total_input_tokens: prompt - tools,
    total_cached_tokens: cached,
    total_output_tokens: completion - thought,
    total_thought_tokens: thought,
    total_tool_use_tokens: tools,
    total_tokens: prompt + completion,
  };
}
