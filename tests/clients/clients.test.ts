import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { aiSdkSuite } from './ai-sdk.suite.ts';
import { families } from './families.ts';
import { langChainSuite } from './langchain.suite.ts';
import { openAiSdkSuite } from './openai-sdk.suite.ts';
import { type Rig, startRig } from './rig.ts';

/** The clients our users have, against every family of vendors, through the whole gateway. */
let running: Rig;
beforeAll(async () => {
  running = await startRig();
});
afterEach(() => running.simulator.reset());
afterAll(() => running.stop());

describe.each(families)('$name', (family) => {
  const place = { family, rig: () => running };
  openAiSdkSuite(place);
  aiSdkSuite(place);
  langChainSuite(place);
});
