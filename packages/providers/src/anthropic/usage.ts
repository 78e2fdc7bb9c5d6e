import type { Usage } from '@tallyport/wire';
import { hourWrites } from '../hour-writes.ts';
import { isMembers, items, type Members, members, text } from '../read.ts';
import { tierOfUsage } from '../service-tier.ts';
import { hasNoCount, tokenCount } from '../token-counts.ts';
import { type KnownMembers, unknownCounts } from '../unknown-counts.ts';
import { iterationsOf } from './iterations.ts';
import { addedCounts, type ClaudeCounts, countsOf } from './usage-counts.ts';

/**
 * The vendor counts tokens read from and written to its cache separately from the rest of the prompt, and does not
 * include a summary of the conversation in the counts of the answer.
 */
export function anthropicUsage(raw: Members): Usage | undefined {
  if ((tokenCount(raw.input_tokens) ?? tokenCount(raw.output_tokens)) === undefined) return undefined;
  if (hasNoCount(raw.input_tokens, raw.output_tokens)) return undefined;
  const own = countsOf(raw);
  const { compaction, ...others } = iterationsOf(items(raw.iterations));
  const all = compaction === undefined ? own : addedCounts(own, compaction);
  const prompt = all.fresh + all.read + all.written;
  const thought = tokenCount(members(raw.output_tokens_details).thinking_tokens);
  const usage: Usage = { prompt_tokens: prompt, completion_tokens: all.output, total_tokens: prompt + all.output };
  const promptDetails = promptDetailsOf(raw, all, compaction);
  if (promptDetails !== undefined) usage.prompt_tokens_details = promptDetails;
  if ((thought ?? compaction) !== undefined)
    usage.completion_tokens_details = {
      ...(thought !== undefined && { reasoning_tokens: thought }),
      ...(compaction !== undefined && { compaction_tokens: compaction.output }),
    };
  return withOthers(usage, raw, others);
}

function promptDetailsOf(
  raw: Members,
  { read, written, hour }: ClaudeCounts,
  compaction: ClaudeCounts | undefined,
): Usage['prompt_tokens_details'] {
  const isRead = raw.cache_read_input_tokens !== undefined && raw.cache_read_input_tokens !== null;
  const isWritten = raw.cache_creation_input_tokens !== undefined && raw.cache_creation_input_tokens !== null;
  if (!isRead && !isWritten && compaction === undefined) return undefined;
  return {
    ...((isRead || read > 0) && { cached_tokens: read }),
    ...((isWritten || written > 0) && { cache_write_tokens: written }),
    ...hourWrites(written, hour),
    ...(compaction !== undefined && { compaction_tokens: compaction.fresh }),
  };
}

type Others = Omit<ReturnType<typeof iterationsOf>, 'compaction'>;

function withOthers(usage: Usage, raw: Members, { otherModels, runs, unknown }: Others): Usage {
  const tools = isMembers(raw.server_tool_use) ? toolUseOf(raw.server_tool_use) : undefined;
  if (tools !== undefined) usage.server_tool_use = tools;
  if (otherModels.length > 0) usage.other_models = otherModels;
  if (runs > 1) usage.iterations = runs;
  const geo = text(raw.inference_geo);
  if (geo !== undefined) usage.inference_geo = geo;
  // Fast mode has its own prices in every tier.
  Object.assign(usage, tierOfUsage(raw.speed === 'fast' ? 'fast' : raw.service_tier));
  const names = [...(unknownCounts(raw, known) ?? []), ...unknown];
  if (names.length > 0) usage.unknown_classes = names;
  return usage;
}

/** `undefined` if no tool ran: most answers have the counts, all 0. */
function toolUseOf(raw: Members): Usage['server_tool_use'] {
  const searches = tokenCount(raw.web_search_requests) ?? 0;
  const fetches = tokenCount(raw.web_fetch_requests) ?? 0;
  if (searches + fetches === 0) return undefined;
  return { web_search_requests: searches, web_fetch_requests: fetches };
}

const known: KnownMembers = {
  input_tokens: true,
  output_tokens: true,
  cache_read_input_tokens: true,
  cache_creation_input_tokens: true,
  cache_creation: { ephemeral_5m_input_tokens: true, ephemeral_1h_input_tokens: true },
  output_tokens_details: { thinking_tokens: true },
  server_tool_use: { web_search_requests: true, web_fetch_requests: true },
  iterations: true,
  // It lowers the bill of a later request.
  fallback_credit: true,
};

/** In a stream the latest value of each member counts; a null does not replace an earlier value. */
export const laterUsage = (earlier: Members, later: Members): Members => ({
  ...earlier,
  ...Object.fromEntries(Object.entries(later).filter(([, value]) => value !== null)),
});
