import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe } from 'vitest';
import { anthropicBaseSuite } from './anthropic-base.suite.ts';
import { azureSuite } from './azure.suite.ts';
import { batchesSuite } from './batches.suite.ts';
import { filesSuite } from './files.suite.ts';
import { imageUrlsSuite } from './image-urls.suite.ts';
import { moderationsSuite } from './moderations.suite.ts';
import { type Rig, startRig } from './rig.ts';
import { signaturesSuite } from './signatures.suite.ts';
import { speechSuite } from './speech.suite.ts';
import { transcriptionsSuite } from './transcriptions.suite.ts';

/** OpenAI ends them and has named no successors; an operator can keep them. */
const kept = ['gpt-4o-mini-tts', 'gpt-4o-transcribe', 'tts-1', 'tts-1-hd', 'whisper-1'];

/** Endpoints and members that only some vendors have. They share a gateway, because its start takes longer than they do. */
let rig: Rig;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tallyport-endpoints-'));
  const file = join(folder, 'tallyport.yaml');
  const entries = kept.map((model) => `  ${model}: { deactivatedAt: '2099-12-31' }`);
  await writeFile(file, `models:\n${entries.join('\n')}\n`);
  rig = await startRig({ further: () => ({ UNKNOWN_MODELS: 'allow', TALLYPORT_CONFIG: file }) });
});
afterEach(() => rig.simulator.reset());
afterAll(async () => {
  await rig?.stop();
  await rm(folder, { recursive: true, force: true });
});

const suites = {
  'the base address of Anthropic': anthropicBaseSuite,
  Azure: azureSuite,
  files: filesSuite,
  'image URLs': imageUrlsSuite,
  moderations: moderationsSuite,
  signatures: signaturesSuite,
  speech: speechSuite,
  transcriptions: transcriptionsSuite,
  // Last: they leave files.
  batches: batchesSuite,
};

describe.each(Object.entries(suites))('%s', (_name, suite) => suite(() => rig));
