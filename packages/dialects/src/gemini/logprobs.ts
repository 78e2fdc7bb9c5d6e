import type { Logprobs } from '@tallyport/wire';
import type { GeminiLogprobs, GeminiToken } from './answer-types.ts';

export function toLogprobsResult(logprobs: Logprobs | null | undefined): { logprobsResult?: GeminiLogprobs } {
  const tokens = logprobs?.content ?? [];
  if (tokens.length === 0) return {};
  return {
    logprobsResult: {
      chosenCandidates: tokens.map(toToken),
      topCandidates: tokens.map(({ top_logprobs: top }) => ({ candidates: top.map(toToken) })),
    },
  };
}

const toToken = ({ token, logprob }: { token: string; logprob: number }): GeminiToken => ({
  token,
  logProbability: logprob,
});
