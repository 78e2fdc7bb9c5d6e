import type { ServerToolUse, Usage } from '@tallyport/wire';
import { items, type Members, members, text } from '../read.ts';
import { tierOfUsage } from '../service-tier.ts';
import { hasNoCount, tokenCount } from '../token-counts.ts';
import { type KnownMembers, unknownCounts } from '../unknown-counts.ts';

/** The vendor counts thinking separately from the answer, and cached tokens as part of the prompt. */
export function geminiUsage(raw: Members, tools?: ServerToolUse): Usage | undefined {
  const asked = tokenCount(raw.promptTokenCount);
  const answered = tokenCount(raw.candidatesTokenCount);
  const thought = tokenCount(raw.thoughtsTokenCount);
  if ((asked ?? answered ?? thought) === undefined) return undefined;
  if (hasNoCount(raw.promptTokenCount, raw.candidatesTokenCount, raw.thoughtsTokenCount)) return undefined;
  const toolPrompt = tokenCount(raw.toolUsePromptTokenCount);
  const prompt = (asked ?? 0) + (toolPrompt ?? 0);
  const completion = (answered ?? 0) + (thought ?? 0);
  const promptDetails = {
    ...named('cached_tokens', tokenCount(raw.cachedContentTokenCount)),
    ...named('cached_audio_tokens', ofModality(raw.cacheTokensDetails, 'AUDIO')),
    ...named('tool_prompt_tokens', toolPrompt),
    ...named('audio_tokens', uncached(raw, 'AUDIO')),
    ...named('image_tokens', uncached(raw, 'IMAGE')),
  };
  const unknown = unknownCounts(raw, known);
  const completionDetails = {
    ...named('reasoning_tokens', thought),
    ...named('audio_tokens', ofModality(raw.candidatesTokensDetails, 'AUDIO')),
    ...named('image_tokens', ofModality(raw.candidatesTokensDetails, 'IMAGE')),
  };
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...ifAny('prompt_tokens_details', promptDetails),
    ...ifAny('completion_tokens_details', completionDetails),
    ...tierOfUsage(raw.serviceTier ?? tierOfTraffic(raw.trafficType)),
    ...(tools !== undefined && { server_tool_use: tools }),
    ...(unknown !== undefined && { unknown_classes: unknown }),
  };
}

const ifAny = (name: string, counts: Record<string, number>): object =>
  Object.keys(counts).length > 0 ? { [name]: counts } : {};

const known: KnownMembers = {
  promptTokenCount: true,
  candidatesTokenCount: true,
  thoughtsTokenCount: true,
  toolUsePromptTokenCount: true,
  cachedContentTokenCount: true,
  totalTokenCount: true,
  // Parts of these, by modality.
  promptTokensDetails: true,
  candidatesTokensDetails: true,
  cacheTokensDetails: true,
  toolUsePromptTokensDetails: true,
  thoughtsTokensDetails: true,
  // The part of the prompt that was sent first.
  initialPromptTokenCount: true,
};

/** The tokens of a modality that were not read from the cache, where they are counted as such. */
function uncached(raw: Members, modality: string): number | undefined {
  const all = ofModality(raw.promptTokensDetails, modality);
  return all === undefined ? undefined : Math.max(0, all - (ofModality(raw.cacheTokensDetails, modality) ?? 0));
}

/** Vertex AI names a kind of traffic: `ON_DEMAND`, `ON_DEMAND_PRIORITY`, `PROVISIONED_THROUGHPUT`. */
const tierOfTraffic = (type: unknown): string | undefined => text(type)?.replace(/^ON_DEMAND_/, '');

const named = (name: string, tokens: number | undefined): Record<string, number> =>
  tokens === undefined ? {} : { [name]: tokens };

const ofModality = (details: unknown, modality: string): number | undefined =>
  tokenCount(
    items(details)
      .map(members)
      .find((detail) => detail.modality === modality)?.tokenCount,
  );
