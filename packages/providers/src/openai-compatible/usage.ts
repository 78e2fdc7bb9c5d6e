import type { Usage } from '@tallyport/wire';
import type { Quirks } from './quirks.ts';
import { isMembers, items, type Members, members } from '../read.ts';
import { tierOfUsage } from '../service-tier.ts';
import { hasNoCount, tokenCount } from '../token-counts.ts';
import { type KnownMembers, unknownCounts } from '../unknown-counts.ts';
import { lifetimesOf, writeLifetimes } from './write-lifetimes.ts';

/** The usage of a whole answer, with its service tier. */
export function usageOfAnswer(body: Members, quirks: Quirks): Usage | undefined {
  return inTier(openAiUsage(body, quirks), body.service_tier);
}

/** A stream names its tier beside each chunk, not in the usage. */
export const inTier = (usage: Usage | undefined, tier: unknown): Usage | undefined =>
  usage === undefined || tier === undefined ? usage : { ...usage, ...tierOfUsage(tier) };

/** The usage in a body or chunk, in OpenAI's way of counting; `undefined` if the vendor sent none. */
export function openAiUsage(body: Members, quirks: Quirks): Usage | undefined {
  const raw = usageIn(body, quirks);
  if (raw === undefined) return undefined;
  const usage = readUsage(raw);
  return usage === undefined ? undefined : (quirks.usage?.(usage, raw) ?? usage);
}

function usageIn(body: Members, { usageOf }: Quirks): Members | undefined {
  if (isMembers(body.usage)) return body.usage;
  return [usageOf?.(body), members(items(body.choices)[0]).usage].find(isMembers);
}

function readUsage(raw: Members): Usage | undefined {
  const prompt = tokenCount(raw.prompt_tokens);
  const completion = tokenCount(raw.completion_tokens);
  if (prompt === undefined && completion === undefined) return undefined;
  if (hasNoCount(raw.prompt_tokens, raw.completion_tokens)) return undefined;
  const promptDetails = promptDetailsOf(raw, prompt ?? 0);
  const completionDetails = completionDetailsOf(raw);
  const usage: Usage = {
    prompt_tokens: prompt ?? 0,
    completion_tokens: completion ?? 0,
    total_tokens: tokenCount(raw.total_tokens) ?? (prompt ?? 0) + (completion ?? 0),
  };
  if (promptDetails !== undefined) usage.prompt_tokens_details = promptDetails;
  if (completionDetails !== undefined) usage.completion_tokens_details = completionDetails;
  addOthers(usage, raw);
  return usage;
}

function addOthers(usage: Usage, raw: Members): void {
  const searches = tokenCount(raw.num_search_queries);
  if (searches !== undefined && searches > 0) usage.server_tool_use = { web_search_requests: searches };
  const unknown = unknownCounts(raw, known);
  if (unknown !== undefined) usage.unknown_classes = unknown;
}

/** Of all vendors: each has some of them, with one meaning. */
const known: KnownMembers = {
  prompt_tokens: true,
  completion_tokens: true,
  total_tokens: true,
  prompt_tokens_details: {
    cached_tokens: true,
    cache_write_tokens: true,
    cache_write_tokens_details: writeLifetimes,
    audio_tokens: true,
    text_tokens: true,
    image_tokens: true,
  },
  completion_tokens_details: {
    reasoning_tokens: true,
    audio_tokens: true,
    // Both are part of the completion, and billed like the rest of it.
    accepted_prediction_tokens: true,
    rejected_prediction_tokens: true,
    text_tokens: true,
    image_tokens: true,
  },
  reasoning_tokens: true,
  cached_tokens: true,
  prompt_cache_hit_tokens: true,
  // The rest of the prompt.
  prompt_cache_miss_tokens: true,
  num_search_queries: true,
  // The same counts in the names of another API.
  input_tokens: true,
  output_tokens: true,
  input_tokens_details: true,
  output_tokens_details: true,
  num_cached_tokens: true,
};

function promptDetailsOf(raw: Members, prompt: number): Usage['prompt_tokens_details'] {
  const details = members(raw.prompt_tokens_details);
  const cached =
    tokenCount(details.cached_tokens) ?? tokenCount(raw.prompt_cache_hit_tokens) ?? tokenCount(raw.cached_tokens);
  const lifetimes = lifetimesOf(details);
  const counts = definedCounts({
    // Cached tokens are part of the prompt, but some vendors have reported more than the prompt has.
    cached_tokens: cached === undefined ? undefined : Math.min(cached, prompt),
    cache_write_tokens: tokenCount(details.cache_write_tokens),
    audio_tokens: tokenCount(details.audio_tokens),
    text_tokens: tokenCount(details.text_tokens),
    image_tokens: tokenCount(details.image_tokens),
  });
  return lifetimes === undefined ? counts : { ...counts, cache_write_tokens_details: lifetimes };
}

function completionDetailsOf(raw: Members): Usage['completion_tokens_details'] {
  const details = members(raw.completion_tokens_details);
  return definedCounts({
    reasoning_tokens: tokenCount(details.reasoning_tokens) ?? tokenCount(raw.reasoning_tokens),
    audio_tokens: tokenCount(details.audio_tokens),
    accepted_prediction_tokens: tokenCount(details.accepted_prediction_tokens),
    rejected_prediction_tokens: tokenCount(details.rejected_prediction_tokens),
    text_tokens: tokenCount(details.text_tokens),
    image_tokens: tokenCount(details.image_tokens),
  });
}

/** The counts without missing ones; `undefined` if all are missing. */
function definedCounts(counts: Record<string, number | undefined>): Record<string, number> | undefined {
  let known: Record<string, number> | undefined;
  for (const name in counts) {
    const tokens = counts[name];
    if (tokens !== undefined) (known ??= {})[name] = tokens;
  }
  return known;
}
