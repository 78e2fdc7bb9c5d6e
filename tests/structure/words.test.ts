import { chatProviders } from '@switchyard/providers';
import { describe, expect, test } from 'vitest';
import { occurrences, productionSources } from './sources.ts';

/** The prefixes of model names that clients use. */
const promisedProviders = [
  'openai',
  'anthropic',
  'google',
  'google-vertex',
  'aws-bedrock',
  'azure',
  'mistral',
  'xai',
  'deepseek',
  'groq',
  'together',
  'fireworks',
  'cerebras',
  'perplexity',
  'moonshot',
  'alibaba',
  'zai',
  'bytedance',
  'novita',
  'minimax',
  'openrouter',
  'ollama',
  'vllm',
];

const sources = productionSources();

const outside = (...folders: string[]) =>
  sources.filter(({ path }) => !folders.some((folder) => path.startsWith(`${folder}/`)));

describe('words that belong to one place', () => {
  test("a provider's id appears in providers, the simulated ones and catalogue data only", () => {
    const ids = new Set([...promisedProviders, ...chatProviders.map(({ id }) => id)]);
    // As a text of its own, as the prefix of a model id, or as a member's name: `'xai'`, `'xai/grok'`, `xai:`, `.xai`.
    const names = [...ids].join('|');
    const pattern = new RegExp(`['"\`](${names})(['"\`]|/)|(^|[{,(])\\s*(${names}):\\s|\\.(${names})\\b`);
    expect(occurrences(outside('packages/providers', 'packages/sandbox', 'packages/simulator'), pattern)).toEqual([]);
  });

  test('process.env is read in service-kit only', () => {
    expect(
      occurrences(outside('packages/service-kit'), /process\s*(\.|\?\.|\[')env|\benv\b.*from 'node:process'/),
    ).toEqual([]);
  });

  test('subjects of the bus are made in bus only', () => {
    expect(occurrences(outside('packages/bus'), /['"`](sy\.|\$JS\.|\$SRV\.|_INBOX)/)).toEqual([]);
  });
});
