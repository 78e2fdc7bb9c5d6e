import type { Logprobs, TokenLogprob } from '@tallyport/wire';
import { items, type Members, members, finiteNumber, text } from '../read.ts';

/** The vendor returns the chosen tokens and their alternatives in two lists of the same length. */
export function logprobsIn({ logprobsResult }: Members): Logprobs | undefined {
  const { chosenCandidates, topCandidates } = members(logprobsResult);
  const chosen = items(chosenCandidates).map(members);
  if (chosen.length === 0) return undefined;
  const top = items(topCandidates).map((place) => items(members(place).candidates).map(members));
  const content = chosen.map((token, place): TokenLogprob => ({
    ...logprob(token),
    top_logprobs: (top[place] ?? []).map(logprob),
  }));
  return { content, refusal: null };
}

function logprob(candidate: Members): Omit<TokenLogprob, 'top_logprobs'> {
  const token = text(candidate.token) ?? '';
  return { token, logprob: finiteNumber(candidate.logProbability) ?? 0, bytes: [...Buffer.from(token)] };
}
