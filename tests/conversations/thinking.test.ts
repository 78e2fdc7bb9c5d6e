import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { can, families, type Family } from '../clients/families.ts';
import { type Rig, startRig } from '../clients/rig.ts';
import { sampled } from '../support/wholly.ts';
import { sentThinking } from './talks/sent-thinking.ts';
import { talks, threeQuestions } from './talks/talks.ts';

let running: Rig;
beforeAll(async () => {
  running = await startRig();
});
afterEach(() => running.simulator.reset());
afterAll(() => running.stop());

/** The families whose model thinks and whose vendor takes its thinking back. */
const thinkers =
  /^(alibaba|anthropic|aws-bedrock|cerebras|deepseek|fireworks|groq|minimax|moonshot|novita|ollama|openrouter|together|zai)\/|gemini-3|vertex\/claude/;
const apis = ['chat', 'messages', 'responses', 'gemini'] as const;
const cases = families
  .filter(({ name }) => thinkers.test(name))
  .flatMap((family) => apis.map((api) => ({ ...family, api })));

describe.each(sampled(cases, { of: 'vendors and APIs of talks', stride: 2 }))(
  '$name behind the API $api',
  ({ api, ...family }) => {
    test.each([
      ['whole', false],
      ['streamed', true],
    ])('keeps the thinking before calls over three questions, %s', async (_name, stream) => {
      for (const talkOver of talks[api]) {
        const terms = { family, rig: running, model: () => family.name, stream };
        await threeQuestions(talkOver(terms), canSee(family), () => undefined);
        expect(refusals()).toEqual([]);
        const { callers, bare, unsignedTexts } = sentThinking(lastRequest());
        expect({ isLong: callers >= 3, bare, unsignedTexts }).toEqual({ isLong: true, bare: 0, unsignedTexts: 0 });
        running.simulator.reset();
      }
    });
  },
);

const canSee = (family: Family): boolean => can(family, 'images');

const lastRequest = () => JSON.parse(running.simulator.requests.at(-1)?.body ?? '{}');

const refusals = () => running.simulator.requests.filter(({ status = 0 }) => status >= 400);
