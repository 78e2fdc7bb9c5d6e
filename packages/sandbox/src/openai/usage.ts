import { isObject, type JsonObject } from '../json.ts';
import { metered, type Metered } from '../model/metered.ts';
import type { Choice } from '../model/choice.ts';
import { requestedTier } from '../model/directives.ts';
import type { ChatQuestion } from '../model/question.ts';
import { unknownUsage } from '../model/unknown-usage.ts';
import { promptTokenCount, spentTokens, type TokenCounts } from '../model/tokens.ts';

/** The usage that an answer reports, its tier, and what the vendor bills. */
interface OpenAiUse {
  readonly usage: object;
  readonly tier: string;
  readonly metered: Metered;
}

export function openAiUse(body: JsonObject, question: ChatQuestion, choices: readonly Choice[]): OpenAiUse {
  const tier = openAiTier(body.service_tier, question.lastText);
  const { spent, written } = openAiWrites(spentTokens(question, choices), body);
  const prompt = promptTokenCount(spent) + written;
  const unknown = unknownUsage(question.lastText);
  return {
    tier,
    usage: {
      prompt_tokens: prompt,
      completion_tokens: spent.reasoning + spent.visible,
      total_tokens: prompt + spent.reasoning + spent.visible,
      prompt_tokens_details: { cached_tokens: spent.cacheRead, audio_tokens: 0, ...openAiWriteDetails(written, body) },
      completion_tokens_details: {
        reasoning_tokens: spent.reasoning,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
      ...unknown.members,
    },
    metered: metered(spent, { tier, more: [{ of: writeClassOf(body), count: written }, ...unknown.counts] }),
  };
}

/** `fast` is another name of `priority`; `auto` is the project's setting, which is `default`. */
export function openAiTier(asked: unknown, text: string): string {
  const wish = requestedTier(text);
  if (wish !== undefined) return wish;
  if (asked === 'fast') return 'priority';
  return typeof asked === 'string' && asked !== 'auto' ? asked : 'default';
}

/** Only newer models charge for writing to the cache; for the others, these tokens are ordinary input. */
export function openAiWrites(spent: TokenCounts, { model }: JsonObject): { spent: TokenCounts; written: number } {
  const { fresh, cacheWrite } = spent;
  if (/^gpt-(5\.[6-9]|[6-9])/.test(String(model))) return { spent: { ...spent, cacheWrite: 0 }, written: cacheWrite };
  return { spent: { ...spent, fresh: fresh + cacheWrite, cacheWrite: 0 }, written: 0 };
}

/** The members of the details of a prompt that was written to the cache. */
export function openAiWriteDetails(written: number, body: JsonObject): object {
  if (written === 0) return {};
  const isLong = writeClassOf(body) === 'cache_write_12h';
  const details = { ttl_30m_tokens: isLong ? 0 : written, ttl_12h_tokens: isLong ? written : 0 };
  return { cache_write_tokens: written, cache_write_tokens_details: details };
}

export const writeClassOf = ({ prompt_cache_options: options }: JsonObject): 'cache_write_12h' | 'cache_write_30m' =>
  isObject(options) && options.ttl === '12h' ? 'cache_write_12h' : 'cache_write_30m';
