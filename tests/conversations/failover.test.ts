import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { families } from '../clients/families.ts';
import { type Rig, startRig } from '../clients/rig.ts';
import type { ClientApi } from './apis/client-apis.ts';
import { callsIn, conversationWith, textIn } from './conversation.ts';

let running: Rig;
beforeAll(async () => {
  running = await startRig();
});
afterEach(() => running.simulator.reset());
afterAll(() => running.stop());

const [sonnet] = families.filter(({ provider }) => provider === 'anthropic');
const name = 'weather.get';
const question = { role: 'user' as const, text: 'The weather?' };
const calls = [{ id: `functions.${name}:0`, name, input: '{"city":"Paris"}' }];
const results = { role: 'results' as const, calls, texts: ['{"sky":"Rain."}'] };

test.each<[ClientApi, boolean]>([
  ['chat', false],
  ['chat', true],
  ['messages', false],
  ['messages', true],
  ['responses', true],
  ['gemini', true],
])('a client of the API %s sees its own names after a failover, streamed: %s', async (api, stream) => {
  if (sonnet === undefined) throw new Error('There is no model of Anthropic.');
  // Without a provider, any of those that have the model may answer.
  const { ask } = conversationWith({ ...sonnet, name: sonnet.model }, api, running);
  running.simulator.faults.set({ provider: 'anthropic', fault: 'status:503' });
  running.simulator.faults.set({ provider: 'google-vertex', fault: 'status:503' });
  const offered = callsIn(await ask({ steps: [question], tools: [name], stream }));
  expect(offered.map((call) => call.name)).toEqual([name]);
  const steps = [question, { role: 'model' as const, calls }, results];
  expect(textIn(await ask({ steps, tools: [name], stream }))).toContain('Rain.');
  const answered = running.simulator.requests.filter(({ status }) => status === 200);
  expect(answered.map(({ provider }) => provider === 'anthropic' || provider === 'google-vertex')).toEqual([
    false,
    false,
  ]);
});
