import type { Usage } from '@switchyard/wire';
import type { Quirks } from './quirks.ts';
import { isMembers, items, type Members, members, finiteNumber } from '../read.ts';

/** The usage in a body or chunk, in OpenAI's way of counting; `undefined` where the vendor told none. */
export function openAiUsage(body: Members, quirks: Quirks): Usage | undefined {
  const raw = [body.usage, quirks.usageOf?.(body), members(items(body.choices)[0]).usage].find(isMembers);
  if (raw === undefined) return undefined;
  const usage = readUsage(raw);
  return usage === undefined ? undefined : (quirks.usage?.(usage, raw) ?? usage);
}

function readUsage(raw: Members): Usage | undefined {
  const prompt = count(raw.prompt_tokens);
  const completion = count(raw.completion_tokens);
  if (prompt === undefined && completion === undefined) return undefined;
  const promptDetails = promptDetailsOf(raw, prompt ?? 0);
  const completionDetails = completionDetailsOf(raw);
  return {
    prompt_tokens: prompt ?? 0,
    completion_tokens: completion ?? 0,
    total_tokens: count(raw.total_tokens) ?? (prompt ?? 0) + (completion ?? 0),
    ...(promptDetails && { prompt_tokens_details: promptDetails }),
    ...(completionDetails && { completion_tokens_details: completionDetails }),
  };
}

function promptDetailsOf(raw: Members, prompt: number): Usage['prompt_tokens_details'] {
  const details = members(raw.prompt_tokens_details);
  const cached = count(details.cached_tokens) ?? count(raw.prompt_cache_hit_tokens) ?? count(raw.cached_tokens);
  return told({
    // Part of the prompt; some vendors have told more of them than there were.
    cached_tokens: cached === undefined ? undefined : Math.min(cached, prompt),
    cache_write_tokens: count(details.cache_write_tokens),
    audio_tokens: count(details.audio_tokens),
    text_tokens: count(details.text_tokens),
    image_tokens: count(details.image_tokens),
  });
}

function completionDetailsOf(raw: Members): Usage['completion_tokens_details'] {
  const details = members(raw.completion_tokens_details);
  return told({
    reasoning_tokens: count(details.reasoning_tokens) ?? count(raw.reasoning_tokens),
    audio_tokens: count(details.audio_tokens),
    accepted_prediction_tokens: count(details.accepted_prediction_tokens),
    rejected_prediction_tokens: count(details.rejected_prediction_tokens),
    text_tokens: count(details.text_tokens),
    image_tokens: count(details.image_tokens),
  });
}

/** Without what was not told; nothing at all where nothing was. */
function told(counts: Record<string, number | undefined>): Record<string, number> | undefined {
  const known: Record<string, number> = {};
  for (const [name, tokens] of Object.entries(counts)) if (tokens !== undefined) known[name] = tokens;
  return Object.keys(known).length === 0 ? undefined : known;
}

/** A count is whole and not negative; anything else a vendor writes there is not a count. */
function count(value: unknown): number | undefined {
  const tokens = finiteNumber(value);
  return tokens === undefined || tokens < 0 ? undefined : Math.round(tokens);
}
