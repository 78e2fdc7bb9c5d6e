import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { can, families } from '../clients/families.ts';
import { type Rig, startRig } from '../clients/rig.ts';
import { partOf } from '../support/scale.ts';
import { apiNames } from './apis/client-apis.ts';
import { talks, threeQuestions } from './talks/talks.ts';

/** Conversations that one vendor begins and another one goes on with, as after a failover or a change of the model. */
let running: Rig;
beforeAll(async () => {
  running = await startRig();
});
afterEach(() => running.simulator.reset());
afterAll(() => running.stop());

const switches = [
  // The same model at another host.
  ['moonshot/kimi-k2.6', 'fireworks/kimi-k2.6'],
  ['together/kimi-k2.6', 'moonshot/kimi-k2.6'],
  ['novita/deepseek-v4-flash', 'deepseek/deepseek-v4-flash'],
  ['google/gemini-3-flash-preview', 'google-vertex/gemini-3-flash-preview'],
  ['google-vertex/gemini-3-flash-preview', 'google/gemini-3-flash-preview'],
  ['anthropic/claude-haiku-4-5', 'aws-bedrock/claude-haiku-4-5'],
  ['aws-bedrock/claude-haiku-4-5', 'google-vertex/claude-haiku-4-5'],
  ['openrouter/claude-haiku-4-5', 'anthropic/claude-haiku-4-5'],
  // Another model.
  ['moonshot/kimi-k2.6', 'anthropic/claude-haiku-4-5'],
  ['anthropic/claude-haiku-4-5', 'google/gemini-3-flash-preview'],
  ['google/gemini-3-flash-preview', 'deepseek/deepseek-v4-flash'],
  ['deepseek/deepseek-v4-flash', 'aws-bedrock/claude-haiku-4-5'],
  ['aws-bedrock/claude-haiku-4-5', 'minimax/minimax-m2.7'],
  ['minimax/minimax-m2.7', 'mistral/mistral-medium-2604'],
  ['zai/glm-4.6v', 'cerebras/gpt-oss-120b'],
  ['cerebras/gpt-oss-120b', 'groq/gpt-oss-120b'],
] as const;

const cases = switches.flatMap(([from, to]) => apiNames.map((api) => ({ from, to, api })));

describe.each(partOf(cases, { one: 3 }))('$from, then $to, behind the API $api', ({ from, to, api }) => {
  test.each([
    ['whole', false],
    ['streamed', true],
  ])('goes on, %s', async (_name, stream) => {
    for (const talkOver of talks[api]) {
      let model: string = from;
      const talk = talkOver({ rig: running, model: () => model, stream });
      const canSee = [from, to].every((name) => can(familyOf(name), 'images'));
      // In the middle of a question: the results of its calls go to the other vendor.
      await threeQuestions(talk, canSee, (question, step) => {
        if (question === 1 && step === 1) model = to;
      });
      const last = running.simulator.requests.at(-1);
      expect([last?.provider, last?.status]).toEqual([to.split('/')[0], 200]);
      const refused = running.simulator.requests.filter(({ status = 0 }) => status >= 400);
      // Only the host knows that a signature belongs to another host. It gets the request again without it.
      const areGoogles = [from, to].every((name) => name.endsWith('gemini-3-flash-preview'));
      expect(areGoogles ? [] : refused).toEqual([]);
      running.simulator.reset();
    }
  });
});

function familyOf(name: string) {
  const family = families.find((each) => each.name === name);
  if (family === undefined) throw new Error(`There is no family ${name}.`);
  return family;
}
