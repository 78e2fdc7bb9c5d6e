import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { aiSdkResponsesSuite } from './ai-sdk-responses.suite.ts';
import { aiSdkSuite } from './ai-sdk.suite.ts';
import { anthropicSdkSuite } from './anthropic-sdk.suite.ts';
import { completionsSuite } from './completions.suite.ts';
import { defaultsSuite } from './defaults.suite.ts';
import { families } from './families.ts';
import { googleGenAiSuite } from './google-genai.suite.ts';
import { googleInteractionsSuite } from './google-interactions.suite.ts';
import { langChainSuite } from './langchain.suite.ts';
import { openAiSdkSuite } from './openai-sdk.suite.ts';
import { responsesSuite } from './responses.suite.ts';
import { type Rig, startRig } from './rig.ts';
import { partOf } from '../support/scale.ts';

/** Tests common client libraries against every family of vendors, through the whole gateway. */
let running: Rig;
beforeAll(async () => {
  running = await startRig();
});
afterEach(() => running.simulator.reset());
afterAll(() => running.stop());

const libraries = [
  openAiSdkSuite,
  aiSdkSuite,
  aiSdkResponsesSuite,
  langChainSuite,
  anthropicSdkSuite,
  responsesSuite,
  googleGenAiSuite,
  googleInteractionsSuite,
  completionsSuite,
];

// `npm test` takes half of the libraries for a family, and the other half for the next one.
describe.each(families.map((family, from) => ({ ...family, from })))('$name', ({ from, ...family }) => {
  for (const suite of partOf(libraries, { one: 2, from })) suite({ family, rig: () => running });
});

/** One model of each form is enough: how the gateway reaches the other vendors is tested above. */
const makers = ['openai/gpt-6-luna', 'anthropic/claude-haiku-4-5', 'google/gemini-2.5-flash-lite'];

describe.each(families.filter(({ name }) => makers.includes(name)))('$name by default', (family) => {
  defaultsSuite({ family, rig: () => running });
});
