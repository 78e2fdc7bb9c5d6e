import {
  type ChatQuestion,
  type Choice,
  type JsonObject,
  metered,
  type Metered,
  promptTokenCount,
  requestedTier,
  spentTokens,
  type TokenCounts,
  unknownUsage,
} from '@tallyport/sandbox';
import { type Compaction, compactionOf } from './compaction.ts';
import { type PromptCacheUse, unmarkedCacheUse, withCacheUse } from './prompt-cache.ts';
import { adviceCounts, adviceOf, toolCounts, toolMembers } from './server-tools.ts';

/** The usage that an answer reports, and what the vendor bills. */
export interface AnthropicUse {
  readonly usage: JsonObject;
  readonly spent: TokenCounts;
  /** The summary of a prompt that was compacted. */
  readonly summary: string | undefined;
  readonly metered: Metered;
}

interface Spending {
  readonly body: JsonObject;
  readonly question: ChatQuestion;
  readonly choice: Choice;
  /** `undefined`: nothing is marked, and the question decides what the cache does. */
  readonly cache: PromptCacheUse | undefined;
}

/** Cache tokens are counted separately from the input; thinking is part of the output. */
export function anthropicUse({ body, question, choice, cache: marked }: Spending): AnthropicUse {
  const all = spentTokens(question, [choice]);
  const compaction = compactionOf(body, question, promptTokenCount(all));
  const { spent, cache } = compaction ? afterCompaction(all, compaction) : cachedTokens(all, marked);
  const advice = adviceOf(body);
  const tools = toolCounts(body, question.lastText);
  const unknown = unknownUsage(question.lastText);
  const place = placeOf(body, question);
  const counted = {
    ...cacheMembers(cache),
    input_tokens: spent.fresh,
    output_tokens: spent.visible + spent.reasoning,
  };
  const iterations = [
    ...(compaction ? [iteration('compaction', compaction)] : []),
    { type: 'message', ...counted },
    ...(advice ? [{ ...iteration('advisor_message', advice), model: advice.model }] : []),
  ];
  return {
    spent,
    summary: compaction?.summary,
    usage: {
      ...counted,
      ...(spent.reasoning > 0 && { output_tokens_details: { thinking_tokens: spent.reasoning } }),
      ...toolMembers(tools),
      ...(iterations.length > 1 && { iterations }),
      ...place.members,
      ...unknown.members,
    },
    metered: metered(
      { ...spent, cacheWrite: 0 },
      {
        tier: place.tier,
        geo: place.geo,
        more: [
          { of: 'cache_write_5m', count: cache.write5m },
          { of: 'cache_write_1h', count: cache.write1h },
          { of: 'compaction_input', count: compaction?.input ?? 0 },
          { of: 'compaction_output', count: compaction?.output ?? 0 },
          ...adviceCounts(advice),
          ...tools,
          ...unknown.counts,
        ],
      },
    ),
  };
}

interface Place {
  /** `fast` is priced like a tier, and reported as a speed. */
  readonly tier: string;
  readonly geo: string | undefined;
  readonly members: object;
}

function placeOf({ speed, inference_geo: geo }: JsonObject, { lastText }: ChatQuestion): Place {
  const tier = requestedTier(lastText) ?? 'standard';
  return {
    tier: speed === 'fast' ? 'fast' : tier,
    geo: typeof geo === 'string' ? geo : undefined,
    members: {
      service_tier: tier,
      ...(typeof speed === 'string' && { speed }),
      ...(typeof geo === 'string' && { inference_geo: geo }),
    },
  };
}

interface CachedTokens {
  spent: TokenCounts;
  cache: PromptCacheUse;
}

function cachedTokens(all: TokenCounts, marked: PromptCacheUse | undefined): CachedTokens {
  const cache = marked ?? unmarkedCacheUse(all);
  return { cache, spent: withCacheUse(all, cache) };
}

const afterCompaction = (all: TokenCounts, { left }: Compaction): CachedTokens => ({
  cache: { read: 0, write5m: 0, write1h: 0 },
  spent: { ...all, fresh: left, cacheRead: 0, cacheWrite: 0 },
});

const cacheMembers = ({ read, write5m, write1h }: PromptCacheUse) => ({
  cache_creation_input_tokens: write5m + write1h,
  cache_read_input_tokens: read,
  cache_creation: { ephemeral_5m_input_tokens: write5m, ephemeral_1h_input_tokens: write1h },
});

const iteration = (type: string, { input, output }: { input: number; output: number }) => ({
  type,
  ...cacheMembers({ read: 0, write5m: 0, write1h: 0 }),
  input_tokens: input,
  output_tokens: output,
});
