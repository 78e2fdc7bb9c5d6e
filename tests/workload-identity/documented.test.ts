import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { namesOf } from '@tallyport/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { kubernetesVersions, problemsOf } from '../deploy/api-schemas.ts';
import { resourceSchema } from '../deploy/rendered.ts';
import { blockAfter } from '../docs/markdown.ts';
import { type IdentityGateway, startIdentityGateway } from '../identity/gateway.ts';
import { type RogueProvider, startRogueProvider } from '../identity/rogue-provider.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const guide = await readFile(join(root, 'docs/workload-identity.md'), 'utf8');

describe('docs/workload-identity.md', () => {
  let issuer: RogueProvider;
  let gateway: IdentityGateway;
  let folder: string;
  let environment: Record<string, string>;
  beforeAll(async () => {
    issuer = await startRogueProvider();
    const bots = { id: 'bots', issuer: issuer.issuer, audience: 'tallyport', subject: 'bot', account: 'default' };
    gateway = await startIdentityGateway({ workloads: [bots] });
    // Below the project, so that the snippets find the SDK.
    await mkdir(join(root, '.cache'), { recursive: true });
    folder = await mkdtemp(join(root, '.cache/workload-'));
    const seconds = Math.floor(Date.now() / 1000);
    const token = await issuer.sign({ iss: issuer.issuer, aud: 'tallyport', sub: 'bot', exp: seconds + 600 });
    await writeFile(join(folder, 'token'), token);
    environment = {
      PATH: process.env['PATH'] ?? '',
      TALLYPORT_URL: gateway.baseUrl,
      TALLYPORT_TOKEN_FILE: join(folder, 'token'),
    };
  });
  afterAll(async () => {
    await gateway?.stop();
    await issuer?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('the snippet for the SDK gets an answer', async () => {
    await writeFile(join(folder, 'snippet.mjs'), blockAfter(guide, 'tested: openai', 'js'));
    const { stdout } = await run(process.execPath, [join(folder, 'snippet.mjs')], { env: environment });
    expect(stdout.trim().length).toBeGreaterThan(10);
  });

  test('the snippet for the shell gets an answer', async () => {
    const { stdout } = await run('sh', ['-ec', blockAfter(guide, 'tested: shell', 'sh')], { env: environment });
    expect(JSON.parse(stdout)).toMatchObject({ object: 'chat.completion' });
  });

  test.each(namesOf(kubernetesVersions))('Kubernetes %s accepts the pod', async (version) => {
    const pod = resourceSchema.parse(parse(blockAfter(guide, 'pod')));
    expect(await problemsOf(pod, version)).toEqual([]);
  });
});
