import { findChatProvider } from '@tallyport/providers';
import { expect, test } from 'vitest';
import { readTargets } from './targets.ts';

/** The URL of a chat if the provider's base URL is configured like this. */
function reached(id: string, baseUrl: string): string | undefined {
  const provider = findChatProvider(id);
  const targets = readTargets(provider === undefined ? [] : [provider], () => ({ keys: ['k'], baseUrl }));
  const target = targets.find(id);
  return target && target.origin + target.pathPrefix;
}

test.each([
  // As documented for each vendor's SDK, and with the version.
  ['anthropic', 'https://api.anthropic.com', 'https://api.anthropic.com/v1'],
  ['anthropic', 'https://api.anthropic.com/', 'https://api.anthropic.com/v1'],
  ['anthropic', 'https://api.anthropic.com/v1', 'https://api.anthropic.com/v1'],
  ['anthropic', 'https://proxy.test/anthropic', 'https://proxy.test/anthropic/v1'],
  ['anthropic', 'https://proxy.test/anthropic/v1/', 'https://proxy.test/anthropic/v1'],
  ['google', 'https://generativelanguage.googleapis.com', 'https://generativelanguage.googleapis.com/v1beta'],
  ['google', 'https://proxy.test/google', 'https://proxy.test/google/v1beta'],
  ['google', 'https://proxy.test/google/v1', 'https://proxy.test/google/v1'],
  ['groq', 'https://api.groq.com', 'https://api.groq.com/openai/v1'],
  ['groq', 'https://api.groq.com/openai', 'https://api.groq.com/openai/v1'],
  ['groq', 'https://proxy.test/groq', 'https://proxy.test/groq/openai/v1'],
  ['groq', 'https://proxy.test/groq/openai/v1', 'https://proxy.test/groq/openai/v1'],
  ['cerebras', 'https://api.cerebras.ai', 'https://api.cerebras.ai/v1'],
  ['mistral', 'https://api.mistral.ai', 'https://api.mistral.ai/v1'],
  ['ollama', 'http://localhost:11434', 'http://localhost:11434/v1'],
  ['ollama', 'http://localhost:11434/v1', 'http://localhost:11434/v1'],
  ['vllm', 'http://localhost:8000', 'http://localhost:8000/v1'],
  ['openai', 'https://api.openai.com', 'https://api.openai.com/v1'],
  ['openai', 'https://api.openai.com/v1', 'https://api.openai.com/v1'],
  // These SDKs add nothing: any other path is already complete.
  ['openai', 'https://proxy.test/openai', 'https://proxy.test/openai'],
  ['together', 'https://proxy.test/together', 'https://proxy.test/together'],
  ['deepseek', 'https://api.deepseek.com', 'https://api.deepseek.com'],
  ['deepseek', 'https://api.deepseek.com/v1', 'https://api.deepseek.com/v1'],
  ['perplexity', 'https://api.perplexity.ai', 'https://api.perplexity.ai'],
])('%s at %s is %s', (id, configured, expected) => {
  expect(reached(id, configured)).toBe(expected);
});
