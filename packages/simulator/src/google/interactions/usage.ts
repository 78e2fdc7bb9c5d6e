import { promptDetails } from '../audio-tokens.ts';
import { type GoogleUse, promptOf } from '../usage.ts';

/** Thinking is counted apart from the answer, and what tools read apart from the prompt. */
export function interactionUse(use: GoogleUse): object {
  const { spent, toolTokens, searches } = use;
  const input = promptOf(use);
  const { promptTokensDetails, cacheTokensDetails } = promptDetails(spent, use.audio);
  return {
    total_input_tokens: input,
    input_tokens_by_modality: promptTokensDetails.map(renamed),
    total_cached_tokens: spent.cacheRead,
    ...(cacheTokensDetails && { cached_tokens_by_modality: cacheTokensDetails.map(renamed) }),
    total_output_tokens: spent.visible,
    total_thought_tokens: spent.reasoning,
    total_tool_use_tokens: toolTokens,
    total_tokens: input + spent.visible + spent.reasoning + toolTokens,
    ...(searches.length > 0 && { grounding_tool_count: [{ type: 'google_search', count: searches.length }] }),
    ...use.unknown,
  };
}

const renamed = ({ modality, tokenCount }: { modality: string; tokenCount: number }) => ({
  modality: modality.toLowerCase(),
  tokens: tokenCount,
});
