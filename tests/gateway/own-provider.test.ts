import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { preparedDirectory } from '@tallyport/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OneProcess, startOneProcess } from './one-process.ts';

// Processes: a command for operators finds the running program by its folder.

const run = promisify(execFile);

describe('an operator with a provider of their own', () => {
  let folder: string;
  let file: string;
  let gateway: OneProcess;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'own-provider-'));
    file = join(folder, 'tallyport.yaml');
    await writeFile(file, '');
    const DATA_DIR = await preparedDirectory();
    gateway = await startOneProcess({ DATA_DIR, SANDBOX: 'on', TALLYPORT_CONFIG: file, OWN_API_KEY: 'a-key' });
  });
  afterAll(async () => {
    await gateway.stop();
    await Promise.all([folder, gateway.directory].map((each) => rm(each, { recursive: true })));
  });

  const ask = async (model: string) => {
    const response = await fetch(`${gateway.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    });
    return { status: response.status, provider: response.headers.get('x-tallyport-provider') };
  };
  const catalog = async (...words: string[]) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: gateway.directory, TALLYPORT_CONFIG: file };
    const { stdout } = await run(process.execPath, ['services/catalog-svc/src/catalog.ts', ...words], { env });
    return stdout;
  };

  it('adds it to the file while the gateway runs, and requests use it without a restart', async () => {
    expect((await ask('mine/large')).status).toBe(404);
    const provider = `own: { baseUrl: "${gateway.sandboxUrl}/sandbox-a/v1" }`;
    const model = 'mine/large: { offers: { own: { model: sandbox-chat } } }';
    await writeFile(file, `providers: { ${provider} }\nmodels: { ${model} }\n`);
    await expect.poll(() => ask('mine/large')).toEqual({ status: 200, provider: 'own' });
    expect(await ask('own/mine/large')).toEqual({ status: 200, provider: 'own' });
    const record = await fetch(`${gateway.baseUrl}/v1/models/mine/large`);
    expect(await record.json()).toMatchObject({ id: 'mine/large', providers: [{ providerId: 'own' }] });
  });

  it('removes a model by a command', async () => {
    expect(await catalog('set', 'model', 'mine/large', 'null')).toBe('model mine/large is changed.\n');
    await expect.poll(async () => (await ask('mine/large')).status).toBe(404);
    expect(await catalog('remove', 'model', 'mine/large')).toBe('model mine/large is reset.\n');
    await expect.poll(async () => (await ask('mine/large')).status).toBe(200);
  });
});
