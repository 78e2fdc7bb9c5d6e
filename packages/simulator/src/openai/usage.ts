import type { Choice } from './choice.ts';
import type { Question } from './question.ts';

/** A token is four characters here: simple, and the same for a stream and for a whole answer. */
export const charactersPerToken = 4;

const tokensOf = (characters: number) => Math.ceil(characters / charactersPerToken);

export function usageOf(question: Question, choices: readonly Choice[]) {
  const reasoning = sum(choices.map((choice) => tokensOf(choice.reasoning.length)));
  const visible = sum(choices.map((choice) => tokensOf(visibleCharacters(choice))));
  const prompt = Math.max(1, tokensOf(question.promptCharacters));
  return {
    prompt_tokens: prompt,
    completion_tokens: reasoning + visible,
    total_tokens: prompt + reasoning + visible,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

function visibleCharacters({ content, toolCalls }: Choice): number {
  return (content?.length ?? 0) + sum(toolCalls.map((call) => call.name.length + call.arguments.length));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
