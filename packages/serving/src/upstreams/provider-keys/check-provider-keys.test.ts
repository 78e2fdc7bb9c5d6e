import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKeyChecker } from '@tallyport/dispatch';
import { createLog } from '@tallyport/service-kit';
import { basePathOf, type Simulator, startSimulator } from '@tallyport/simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkProviderKeys } from './check-provider-keys.ts';
import { describeKeys } from './describe-keys.ts';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ apiKeys: ['good'] });
});
afterAll(() => simulator.close());

const at = (id: string): string => simulator.url + basePathOf(id);

async function check(config: object, deadlineMs = 5_000) {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const log = createLog({ service: 'chat-svc', level: 'info', destination });
  const { providers, done } = checkProviderKeys({ config, log }, createKeyChecker({ deadlineMs, maxBytes: 1_000 }));
  const texts = (await done).map(describeKeys);
  return {
    providers,
    texts,
    logged: lines.map(({ level, message, providers, check }) => [level, message, providers, check]),
  };
}

test('every configured key is tested once, and the result is one line in the log', async () => {
  const config = {
    OPENAI_API_KEY: ['good'],
    OPENAI_BASE_URL: at('openai'),
    MISTRAL_API_KEY: ['wrong'],
    MISTRAL_BASE_URL: at('mistral'),
    GROQ_API_KEY: ['wrong', 'good', 'worse'],
    GROQ_BASE_URL: at('groq'),
    XAI_API_KEY: ['good'],
    XAI_BASE_URL: 'http://127.0.0.1:1',
    PERPLEXITY_API_KEY: ['good'],
    PERPLEXITY_BASE_URL: at('perplexity'),
  };
  const states = {
    groq: 'refused, works, refused',
    mistral: 'refused',
    openai: 'works',
    perplexity: 'untested',
    xai: 'unreachable',
  };
  expect(await check(config)).toEqual({
    providers: Object.keys(states),
    texts: [
      'groq: keys 1, 3 of 3 refused: check GROQ_API_KEY; key 2 of 3 works',
      'mistral: key refused: check MISTRAL_API_KEY',
      'openai: key works',
      'perplexity: key not tested',
      'xai: not reachable',
    ],
    logged: [['warn', 'provider keys tested', states, ['GROQ_API_KEY', 'MISTRAL_API_KEY']]],
  });
  expect(simulator.requests.filter(({ provider }) => provider === 'groq')).toHaveLength(3);
});

test('a vendor that does not answer is not reachable', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const config = { OPENAI_API_KEY: ['good', 'good'], OPENAI_BASE_URL: `http://127.0.0.1:${port}` };
  expect(await check(config, 200)).toEqual({
    providers: ['openai'],
    texts: ['openai: not reachable'],
    logged: [['warn', 'provider keys tested', { openai: 'unreachable, unreachable' }, undefined]],
  });
  silent.closeAllConnections();
  await new Promise((resolve) => silent.close(resolve));
});

test('two keys that work, and nothing to check', async () => {
  const config = { OPENAI_API_KEY: ['good', 'good'], OPENAI_BASE_URL: at('openai') };
  expect(await check(config)).toEqual({
    providers: ['openai'],
    texts: ['openai: 2 keys work'],
    logged: [['info', 'provider keys tested', { openai: 'works, works' }, undefined]],
  });
});

test('without a key nothing is tested or logged, not even a server of your own', async () => {
  expect(await check({ VLLM_BASE_URL: at('vllm') })).toEqual({ providers: [], texts: [], logged: [] });
});
