import type { Usage } from '@tallyport/wire';
import { items, type Members, members } from '../read.ts';
import { hasNoCount, tokenCount } from '../token-counts.ts';

/** The vendor counts thinking separately from the answer, and cached tokens as part of the prompt. */
export function geminiUsage(raw: Members): Usage | undefined {
  const asked = tokenCount(raw.promptTokenCount);
  const answered = tokenCount(raw.candidatesTokenCount);
  const thought = tokenCount(raw.thoughtsTokenCount);
  if ((asked ?? answered ?? thought) === undefined) return undefined;
  if (hasNoCount(raw.promptTokenCount, raw.candidatesTokenCount, raw.thoughtsTokenCount)) return undefined;
  const prompt = (asked ?? 0) + (tokenCount(raw.toolUsePromptTokenCount) ?? 0);
  const completion = (answered ?? 0) + (thought ?? 0);
  const promptDetails = {
    ...named('cached_tokens', tokenCount(raw.cachedContentTokenCount)),
    ...named('audio_tokens', ofModality(raw.promptTokensDetails, 'AUDIO')),
    ...named('image_tokens', ofModality(raw.promptTokensDetails, 'IMAGE')),
  };
  const completionDetails = {
    ...named('reasoning_tokens', thought),
    ...named('audio_tokens', ofModality(raw.candidatesTokensDetails, 'AUDIO')),
    ...named('image_tokens', ofModality(raw.candidatesTokensDetails, 'IMAGE')),
  };
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(Object.keys(promptDetails).length > 0 && { prompt_tokens_details: promptDetails }),
    ...(Object.keys(completionDetails).length > 0 && { completion_tokens_details: completionDetails }),
  };
}

const named = (name: string, tokens: number | undefined): Record<string, number> =>
  tokens === undefined ? {} : { [name]: tokens };

const ofModality = (details: unknown, modality: string): number | undefined =>
  tokenCount(
    items(details)
      .map(members)
      .find((detail) => detail.modality === modality)?.tokenCount,
  );
