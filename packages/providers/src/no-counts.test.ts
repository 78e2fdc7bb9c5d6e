import { expect, test } from 'vitest';
import { anthropicUsage } from './anthropic/usage.ts';
import { bedrockUsage } from './aws-bedrock/usage.ts';
import { geminiUsage } from './google/usage.ts';
import { imagesUsageIn } from './images/usage.ts';
import { openAiUsage } from './openai-compatible/usage.ts';

const noCounts = ['many', '12', -1, true, {}, Number.POSITIVE_INFINITY];
const isKnown = (usage: unknown): boolean => usage !== undefined;

test.each<[string, (answered: unknown) => unknown]>([
  ['openai', (answered) => openAiUsage({ usage: { prompt_tokens: 3, completion_tokens: answered } }, {})],
  ['anthropic', (answered) => anthropicUsage({ input_tokens: 3, output_tokens: answered })],
  ['google', (answered) => geminiUsage({ promptTokenCount: 3, candidatesTokenCount: answered })],
  ['bedrock', (answered) => bedrockUsage({ usage: { inputTokens: 3, outputTokens: answered } })],
  ['images', (answered) => imagesUsageIn({ input_tokens: 3, output_tokens: answered })],
])('usage of %s is unknown if a count is invalid, and known if one is missing', (_name, usageOf) => {
  expect(noCounts.map(usageOf).map(isKnown)).toEqual(noCounts.map(() => false));
  expect([4, null, undefined].map(usageOf).map(isKnown)).toEqual([true, true, true]);
});
