import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { imageUrlsSuite } from './image-urls.suite.ts';
import { moderationsSuite } from './moderations.suite.ts';
import { type Rig, startRig } from './rig.ts';
import { signaturesSuite } from './signatures.suite.ts';
import { speechSuite } from './speech.suite.ts';
import { transcriptionsSuite } from './transcriptions.suite.ts';

/** Endpoints and members that only some vendors have. They share a gateway, because its start takes longer than they do. */
let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ further: () => ({ UNKNOWN_MODELS: 'allow' }) });
});
afterEach(() => rig.simulator.reset());
afterAll(() => rig?.stop());

const suites = {
  'image URLs': imageUrlsSuite,
  moderations: moderationsSuite,
  signatures: signaturesSuite,
  speech: speechSuite,
  transcriptions: transcriptionsSuite,
};

describe.each(Object.entries(suites))('%s', (_name, suite) => suite(() => rig));
