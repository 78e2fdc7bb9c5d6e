import {
  type ChatQuestion,
  type Choice,
  isObject,
  type JsonObject,
  metered,
  type Metered,
  objectsOf,
  promptTokenCount,
  requestedTier,
  spentTokens,
  unknownUsage,
} from '@tallyport/sandbox';
import { type AnthropicCache, type PromptCacheUse, unmarkedCacheUse, withCacheUse } from '../anthropic/prompt-cache.ts';

/** The usage that an answer reports, its tier, and what the vendor bills. */
export interface ConverseUse {
  readonly usage: object;
  readonly tier: string;
  readonly metered: Metered;
}

interface Spending {
  readonly body: JsonObject;
  readonly question: ChatQuestion;
  readonly choice: Choice;
  readonly prompts: AnthropicCache;
}

/** Cache tokens are counted separately from the input, but are part of the total. */
export function converseUse({ body, question, choice, prompts }: Spending): ConverseUse {
  const all = spentTokens(question, [choice]);
  const prompt = promptTokenCount(all);
  const cache = prompts.use(withMarks(body), question.model) ?? unmarkedCacheUse(all);
  const { cacheWrite: written, ...read } = withCacheUse(all, cache);
  const spent = { ...read, cacheWrite: 0 };
  const tier = requestedTier(question.lastText) ?? tierOf(body.serviceTier);
  const unknown = unknownUsage(question.lastText);
  return {
    tier,
    usage: {
      inputTokens: spent.fresh,
      outputTokens: spent.visible + spent.reasoning,
      totalTokens: prompt + spent.visible + spent.reasoning,
      cacheReadInputTokens: cache.read,
      cacheReadInputTokenCount: cache.read,
      cacheWriteInputTokens: written,
      cacheWriteInputTokenCount: written,
      ...(written > 0 && { cacheDetails: detailsOf(cache) }),
      ...unknown.members,
    },
    metered: metered(spent, {
      tier,
      more: [
        { of: 'cache_write_5m', count: cache.write5m },
        { of: 'cache_write_1h', count: cache.write1h },
        ...unknown.counts,
      ],
    }),
  };
}

const detailsOf = ({ write5m, write1h }: PromptCacheUse) =>
  [
    { ttl: '1h', inputTokens: write1h },
    { ttl: '5m', inputTokens: write5m },
  ].filter(({ inputTokens }) => inputTokens > 0);

const tierOf = (asked: unknown): string => (isObject(asked) && typeof asked.type === 'string' ? asked.type : 'default');

/** The prompt with each cache point as a mark of the block before it. */
const withMarks = ({ toolConfig, system, messages }: JsonObject): JsonObject => ({
  tools: marked(isObject(toolConfig) ? toolConfig.tools : []),
  system: marked(system),
  messages: objectsOf(messages).map(({ role, content }) => ({ role, content: marked(content) })),
});

function marked(blocks: unknown): JsonObject[] {
  const kept: JsonObject[] = [];
  for (const block of objectsOf(blocks)) {
    const before = kept.pop();
    if (!isObject(block.cachePoint)) kept.push(...(before ? [before] : []), block);
    else if (before !== undefined) kept.push({ ...before, cache_control: block.cachePoint });
  }
  return kept;
}
