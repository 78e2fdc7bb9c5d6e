import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '@tallyport/bus';
import { natsLink } from '@tallyport/bus/nats';
import { authService, hashKey } from '@tallyport/contracts';
import { createTestDatabase } from '@tallyport/database/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { keyCommandUsage } from './key-commands.ts';
import { expectKeyLifecycle } from '../testing/key-lifecycle.ts';

const program = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

function nodeEnvironment(): Record<string, string | undefined> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, NODE_COMPILE_CACHE };
}

interface ProcessResult {
  code: number;
  out: string;
  error: string;
}

describe('npm run key, as a process', () => {
  const leftovers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const remove of leftovers.splice(0).toReversed()) await remove();
  });

  /** In an empty folder, so that no local `.env` is read. */
  const runIn = async (environment: Record<string, string>) => {
    const cwd = await mkdtemp(join(tmpdir(), 'tallyport-key-'));
    leftovers.push(() => rm(cwd, { recursive: true }));
    return (...words: string[]): Promise<ProcessResult> =>
      new Promise((resolve) => {
        const options = { cwd, env: { ...nodeEnvironment(), ...environment } };
        execFile(process.execPath, [program('./key.ts'), ...words], options, (error, out, text) => {
          resolve({ code: error ? Number(error.code) : 0, out, error: text });
        });
      });
  };

  it('prints its usage, names an invalid setting, and reports that NATS is not reachable', async () => {
    const [unclear, wrong, away] = await Promise.all([
      runIn({}).then((key) => key('remove', 'x')),
      runIn({ DATABASE_URL: 'mysql://somewhere' }).then((key) => key('list')),
      runIn({ NATS_URL: 'nats://127.0.0.1:1' }).then((key) => key('list')),
    ]);
    expect(unclear).toEqual({ code: 2, out: '', error: keyCommandUsage });
    expect(wrong).toEqual({ code: 1, out: '', error: expect.stringMatching(/^DATABASE_URL: /) });
    expect(away).toEqual({ code: 1, out: '', error: expect.stringMatching(/^NATS is not reachable/) });
  });

  it('works over NATS with a separate auth-svc process, which exits cleanly', async () => {
    const { url, drop } = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
    leftovers.push(drop);
    const NATS_URL = process.env['TEST_NATS_URL'] ?? '';
    const service = await startService({
      NATS_URL,
      DATABASE_URL: url,
      BOOTSTRAP_API_KEY: 'an-operator-chose-this',
    });
    leftovers.push(async () => service.kill('SIGKILL'));
    const link = await natsLink({ url: NATS_URL, name: 'test' });
    leftovers.push(() => link.close());
    const client = createClient(link, authService);
    const revoked: string[] = [];
    client.keyRevoked.subscribe(({ keyHash }) => revoked.push(keyHash));
    expect(await client.authenticate({ keyHash: hashKey('an-operator-chose-this') })).toEqual({
      caller: { principal: { accountId: 'default', keyId: 'bootstrap' }, limits: {} },
    });
    const key = await runIn({ NATS_URL });
    const text = await expectKeyLifecycle(async (...words) => {
      const { code, out, error } = await key(...words);
      if (code !== 0) throw new Error(error.trim());
      return out;
    });
    await expect.poll(() => revoked).toEqual([hashKey(text)]);
    service.kill('SIGTERM');
    expect(await once(service, 'exit')).toEqual([0, null]);
  });
});

async function startService(environment: Record<string, string>): Promise<ChildProcess> {
  const env = { ...nodeEnvironment(), ADMIN_PORT: '0', ...environment };
  const service = spawn(process.execPath, [program('../main.ts')], {
    env,
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of service.stdout.setEncoding('utf8')) {
    output += chunk;
    if (output.includes('"ready"')) break;
  }
  return service;
}
