import { expect, test } from 'vitest';
import { chatProviders } from './chat-providers.ts';
import { genAiProviderName } from './gen-ai-names.ts';

/** The words of the conventions; others are free. */
const words = [
  'anthropic',
  'aws.bedrock',
  'azure.ai.openai',
  'cohere',
  'deepseek',
  'gcp.gemini',
  'gcp.vertex_ai',
  'groq',
  'mistral_ai',
  'moonshot_ai',
  'openai',
  'perplexity',
  'x_ai',
];

test('every vendor for which the conventions have a word has this word', () => {
  const named = chatProviders.map(({ id }) => genAiProviderName(id));
  expect(words.filter((word) => !named.includes(word))).toEqual([]);
  expect(genAiProviderName('fireworks')).toBe('fireworks');
});
