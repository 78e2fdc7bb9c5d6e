import type { Choice } from '../model/choice.ts';
import type { ChatQuestion } from '../model/question.ts';
import { promptTokenCount, spentTokens } from '../model/tokens.ts';

export function simulatedOpenAiUsage(question: ChatQuestion, choices: readonly Choice[]) {
  const spent = spentTokens(question, choices);
  const prompt = promptTokenCount(spent);
  return {
    prompt_tokens: prompt,
    completion_tokens: spent.reasoning + spent.visible,
    total_tokens: prompt + spent.reasoning + spent.visible,
    prompt_tokens_details: { cached_tokens: spent.cacheRead, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: spent.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
