import type { Logprobs, TokenLogprob } from '@switchyard/wire';
import { list, type Members, members, number, text } from '../read.ts';

/** The vendor tells the chosen tokens and their alternatives in two lists of one length. */
export function logprobsIn({ logprobsResult }: Members): Logprobs | undefined {
  const { chosenCandidates, topCandidates } = members(logprobsResult);
  const chosen = list(chosenCandidates).map(members);
  if (chosen.length === 0) return undefined;
  const top = list(topCandidates).map((place) => list(members(place).candidates).map(members));
  const content = chosen.map((token, place): TokenLogprob => ({
    ...logprob(token),
    top_logprobs: (top[place] ?? []).map(logprob),
  }));
  return { content, refusal: null };
}

function logprob(candidate: Members): Omit<TokenLogprob, 'top_logprobs'> {
  const token = text(candidate.token) ?? '';
  return { token, logprob: number(candidate.logProbability) ?? 0, bytes: [...Buffer.from(token)] };
}
