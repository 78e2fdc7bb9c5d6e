import type { Offer } from '@tallyport/contracts';

/** What a vendor caches of a model's prompts, where it caches only what is marked. */
export interface CacheMarking {
  /** A shorter prefix is not cached, and its mark is ignored. */
  leastTokens: number;
  /** Whether tools can be marked too. */
  tools: boolean;
  /** Whether a mark can ask for an hour instead of five minutes. */
  hour: boolean;
  /** The vendor writes the end of every prompt by itself. A mark keeps the instructions for other conversations too. */
  implicit?: true;
}

/** What is known about the use of a prompt. */
export interface PromptReuse {
  /** `1h` for a conversation that pauses for more than five minutes. */
  lifetime: '5m' | '1h';
  /** Whether other requests began in the same way shortly before. */
  isShared: boolean;
}

/**
 * The shortest prefix that is cached, by generation, as the vendor documents it (2026-11). A model that is not in the list has
 * the usual one: a mark on a prefix that is too short costs nothing.
 */
const leastTokens: readonly (readonly [RegExp, number])[] = [
  [/(opus|fable|mythos)-5/, 512],
  [/haiku-4[-.]5|opus-4[-.][56](\D|$)/, 4_096],
  [/opus-4[-.]7|haiku-3|3[-.]5-haiku|3-haiku/, 2_048],
];
const usualLeastTokens = 1_024;

/** How Claude's prompts are marked, on every host that serves it; `undefined` for offers without a price for cached tokens. */
export function claudeMarking({ modelName, pricing }: Offer): CacheMarking | undefined {
  if (pricing['input_cache_read'] === undefined) return undefined;
  const least = leastTokens.find(([names]) => names.test(modelName))?.[1] ?? usualLeastTokens;
  return { leastTokens: least, tools: true, hour: !onlyMinutes.test(modelName) };
}

/** Some hosts of the models before Claude 4.5 know five minutes only. */
const onlyMinutes = /claude-(3|\w+-4(-\d{6,}|@|$)|\w+-4[-.][01](\D|$))/;
