import { type GoogleUse, promptOf } from '../usage.ts';

/** Thinking is counted apart from the answer, and what tools read apart from the prompt. */
export function interactionUse(use: GoogleUse): object {
  const { spent, toolTokens, searches } = use;
  const input = promptOf(use);
  return {
    total_input_tokens: input,
    input_tokens_by_modality: [{ modality: 'text', tokens: input }],
    total_cached_tokens: spent.cacheRead,
    total_output_tokens: spent.visible,
    total_thought_tokens: spent.reasoning,
    total_tool_use_tokens: toolTokens,
    total_tokens: input + spent.visible + spent.reasoning + toolTokens,
    ...(searches.length > 0 && { grounding_tool_count: [{ type: 'google_search', count: searches.length }] }),
    ...use.unknown,
  };
}
