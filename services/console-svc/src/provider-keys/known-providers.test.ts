import { expect, test } from 'vitest';
import { asProviderId, readProviders } from './known-providers.ts';

test.each([
  ['openai', 'openai'],
  ['OpenAI', 'openai'],
  ['Lab', 'Lab'],
  ['LAB', 'lab'],
  ['stranger', 'stranger'],
])('%s is the provider %s', (entered, id) => {
  expect(asProviderId(entered, ['lab', 'Lab', 'openai'])).toBe(id);
});

test('suggests built-in providers and those of the operator, once each', async () => {
  const standing = { model: 'm', obstacle: null, key: null, healthy: true, latency_ms: null } as const;
  const rest = { breaker: 'closed', cooldown_ms: 0, recovery: null, last_error: null };
  const listStandings = async () => ['lab', 'openai', 'lab'].map((provider) => ({ ...standing, ...rest, provider }));
  const providers = await readProviders({ api: { listStandings } });
  expect(providers.filter((id) => id === 'lab' || id === 'openai')).toEqual(['lab', 'openai']);
  expect(providers).toEqual(providers.toSorted());
});
