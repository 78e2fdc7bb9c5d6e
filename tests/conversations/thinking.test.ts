import { afterAll, beforeAll, describe, test } from 'vitest';
import { families } from '../clients/families.ts';
import { type Rig, startRig } from '../clients/rig.ts';
import { sampled } from '../support/wholly.ts';
import { checkThinking, keepsThinking } from './talks/kept-thinking.ts';

let running: Rig;
beforeAll(async () => {
  running = await startRig();
});
afterAll(() => running.stop());

const cases = families.flatMap((family) =>
  (['chat', 'messages', 'responses', 'gemini'] as const)
    .filter((api) => keepsThinking(family, api))
    .map((api) => ({ family, api, name: family.name })),
);

describe.each(sampled(cases, { of: 'vendors and APIs of talks', stride: 2 }))(
  '$name behind the API $api',
  ({ family, api }) => {
    test.each([
      ['whole', false],
      ['streamed', true],
    ])('keeps the thinking before calls over three questions, %s', async (_name, stream) => {
      await checkThinking({ family, api, rig: running }, stream);
    });
  },
);
