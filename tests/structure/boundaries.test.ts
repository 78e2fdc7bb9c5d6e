import { chatProviders } from '@tallyport/providers';
import { describe, expect, test } from 'vitest';
import { occurrences, productionSources } from './sources.ts';

/** The prefixes that clients use in model names. */
const publicProviders = [
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

describe('boundaries', () => {
  test('provider ids appear only in packages/providers, the simulators and catalogue data', () => {
    const ids = new Set([...publicProviders, ...chatProviders.map(({ id }) => id)]);
    // A whole string, the prefix of a model id, or the name of a member: `'xai'`, `'xai/grok'`, `xai:`, `.xai`.
    const names = [...ids].join('|');
    const pattern = new RegExp(`['"\`](${names})(['"\`]|/)|(^|[{,(])\\s*(${names}):\\s|\\.(${names})\\b`);
    expect(occurrences(outside('packages/providers', 'packages/sandbox', 'packages/simulator'), pattern)).toEqual([]);
  });

  test('only service-kit reads process.env', () => {
    expect(
      occurrences(outside('packages/service-kit'), /process\s*(\.|\?\.|\[')env|\benv\b.*from 'node:process'/),
    ).toEqual([]);
  });

  test('only packages/bus builds subjects', () => {
    expect(occurrences(outside('packages/bus'), /['"`](sy\.|\$JS\.|\$SRV\.|_INBOX)/)).toEqual([]);
  });
});
