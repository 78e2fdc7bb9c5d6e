import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chatProviders } from '@tallyport/providers';
import { basePathOf, type Simulator, startSimulator } from '@tallyport/simulator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTargets } from '../targets/targets.ts';
import { createKeyChecker } from './key-checker.ts';

const withRequest = chatProviders.filter(({ keyCheck }) => keyCheck?.kind === 'request');
const ids = withRequest.map(({ id }) => id).filter((id) => !id.startsWith('sandbox'));
// Servers that accept any key.
const keyless = ['ollama', 'vllm'];
const checker = createKeyChecker();
let simulator: Simulator;
let silent: Server;

beforeAll(async () => {
  simulator = await startSimulator({ apiKeys: ['good'] });
  silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await checker.close();
  silent.closeAllConnections();
  await Promise.all([simulator.close(), new Promise((resolve) => silent.close(resolve))]);
});

/** The states of two keys of a provider at an address. */
async function statesAt(id: string, base: string, limits?: Parameters<typeof createKeyChecker>[0]) {
  const provider = chatProviders.find((each) => each.id === id);
  if (provider === undefined) throw new Error(`There is no provider ${id}.`);
  const targets = readTargets([provider], () => ({ keys: ['good', 'bad'], baseUrl: base + basePathOf(id) }));
  const own = limits === undefined ? checker : createKeyChecker(limits);
  const states = await Promise.all(targets.all(id).map((target) => own.check(provider, target)));
  if (own !== checker) await own.close();
  return states;
}

test.each(ids)('a valid key of %s works, and another one is refused', async (id) => {
  expect(await statesAt(id, simulator.url)).toEqual(keyless.includes(id) ? ['works', 'works'] : ['works', 'refused']);
});

test('says nothing about a key if the vendor has no such request, or does not know it', async () => {
  expect(await statesAt('perplexity', simulator.url)).toEqual(['untested', 'untested']);
  expect(await statesAt('openai', `${simulator.url}/elsewhere`)).toEqual(['untested', 'untested']);
});

test('a vendor that is away or silent is not reachable', async () => {
  const { port } = silent.address() as AddressInfo;
  const limits = { deadlineMs: 200, maxBytes: 1_000 };
  expect(await statesAt('openai', `http://127.0.0.1:${port}`, limits)).toEqual(['unreachable', 'unreachable']);
  expect(await statesAt('openai', 'http://127.0.0.1:1')).toEqual(['unreachable', 'unreachable']);
});
