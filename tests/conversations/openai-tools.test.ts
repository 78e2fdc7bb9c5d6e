import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { objectsOf } from '../../packages/sandbox/src/index.ts';
import { type Rig, startRig } from '../clients/rig.ts';
import { partOf } from '../support/scale.ts';
import { sentThinking } from './talks/sent-thinking.ts';
import { talks, threeQuestions } from './talks/talks.ts';

/** Models that combine tools and reasoning only in the Responses API of their vendor; some of them always reason. */
let running: Rig;
beforeAll(async () => {
  running = await startRig();
});
afterEach(() => running.simulator.reset());
afterAll(() => running.stop());

const models = ['gpt-5.4', 'gpt-6-astra', 'gpt-6-luna', 'gpt-6.1-sol', 'gpt-6.2-sol'];
const apis = ['chat', 'messages', 'responses', 'gemini', 'interactions'] as const;
/** What the clients of `talks` ask for, as the vendor has it. */
const efforts = { chat: 'high', messages: 'high', responses: 'high', gemini: 'medium', interactions: 'medium' };

const cases = models.flatMap((model) => apis.map((api) => ({ model: `openai/${model}`, api })));
const taken = partOf(cases, { one: 3 });

describe.each(taken)('$model with tools behind the API $api', ({ model, api }) => {
  test.each([
    ['whole', false],
    ['streamed', true],
  ])('reasons, and keeps its thinking over three questions, %s', async (_name, stream) => {
    for (const talkOver of talks[api]) {
      running.simulator.reset();
      await threeQuestions(talkOver({ rig: running, model: () => model, stream }), true, () => undefined);
      const { requests } = running.simulator;
      const bodies = requests.map(({ body }) => JSON.parse(body));
      expect(new Set(requests.map(({ path, status }) => `${path} ${status}`))).toEqual(new Set(['/v1/responses 200']));
      expect(new Set(bodies.map(({ reasoning }) => reasoning?.effort))).toEqual(new Set([efforts[api]]));
      const { callers, bare } = sentThinking(bodies.at(-1));
      expect({ isLong: callers >= 3, bare }).toEqual({ isLong: true, bare: 0 });
      expect(objectsOf(bodies.at(-1)?.tools).map(({ name }) => name)).toEqual(['weather']);
    }
  });
});
