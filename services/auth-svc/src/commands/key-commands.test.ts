import { rm, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { inProcessLink } from '@tallyport/bus';
import { hashKey } from '@tallyport/contracts';
import { createTestDatabase, preparedDirectory } from '@tallyport/database/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { socketPath } from '../control/socket-path.ts';
import type { CommandPlaces } from '@tallyport/management-server';
import { openAdministration } from './open-administration.ts';
import { keyCommand } from './key-commands.ts';
import { readNewKey } from './key-options.ts';
import { commandSocket } from '../module.ts';
import { expectKeyLifecycle } from '../testing/key-lifecycle.ts';
import { openAuth, testKit } from '../testing/open-auth.ts';

describe('npm run key', () => {
  const leftovers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const remove of leftovers.splice(0).toReversed()) await remove();
  });

  const keyAt =
    (places: CommandPlaces) =>
    async (...words: string[]): Promise<string> => {
      const keys = await openAdministration(places);
      try {
        return (await keyCommand(words)?.(keys)) ?? 'no command';
      } finally {
        await keys.close();
      }
    };

  const openInstance = async () => {
    const opened = await openAuth(await preparedDirectory());
    leftovers.push(opened.remove);
    return opened;
  };
  it.each([[[]], [['create']], [['create', 'a', 'b']], [['list', 'all']], [['revoke']], [['remove', 'x']]])(
    'rejects the words %j',
    (words) => {
      expect(keyCommand(words)).toBe(undefined);
    },
  );

  it('works on the embedded database', async () => {
    const directory = await preparedDirectory();
    leftovers.push(() => rm(directory, { recursive: true }));
    const key = keyAt({ DATA_DIR: directory });
    expect(await key('list')).toBe('There are no keys yet. Create one: npm run key -- create <name>\n');
    await expectKeyLifecycle(key);
  });

  it('creates keys with all settings', () => {
    const words =
      'app --admin --expires 30d --models a,b/c --providers a --tiers flex --mcp-tools docs,b__c --addresses 203.0.113.0/24,::1';
    const bounds = '--rpm 100 --tpm 5000 --concurrency 2 --budget 12.50/month --cache 60 --prompt-caching auto';
    expect(readNewKey(`${words} ${bounds}`.split(' '), Date.parse('2026-01-01T00:00:00Z'))).toEqual({
      name: 'app',
      admin: true,
      expiresAt: '2026-01-31T00:00:00.000Z',
      allowedModels: ['a', 'b/c'],
      allowedProviders: ['a'],
      allowedTiers: ['flex'],
      allowedMcpTools: ['docs', 'b__c'],
      allowedAddresses: ['203.0.113.0/24', '::1'],
      limits: {
        requestsPerMinute: { chat: 100, images: 100, models: 100, mcp: 100 },
        tokensPerMinute: 5_000,
        concurrency: 2,
      },
      budget: { amount: '12.50', period: 'month' },
      cacheTtlSeconds: 60,
      promptCaching: 'auto',
    });
  });

  it.each([
    '--expires 30',
    '--expires d',
    '--rpm many',
    '--budget 5',
    '--budget 5/year',
    '--cache -1',
    '--prompt-caching on',
    '--colour red',
  ])('rejects the option %s', (words) => {
    expect(keyCommand(['create', 'app', ...words.split(' ')])).toBe(undefined);
  });

  it('works on Postgres', async () => {
    const { url, drop } = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
    leftovers.push(drop);
    await expectKeyLifecycle(keyAt({ DATABASE_URL: url, DATA_DIR: '/nowhere' }));
  });

  it('reports a running process that does not accept commands', async () => {
    const { directory } = await openInstance();
    await expect(keyAt({ DATA_DIR: directory })('list')).rejects.toThrow(
      `The data directory ${directory} is in use by process ${process.pid}, which does not accept commands. Stop it, then try again.`,
    );
  });

  it('works through the running process that holds the data directory, for its owner only', async () => {
    const opened = await openInstance();
    const socket = commandSocket(opened.kit, opened);
    await socket.start?.();
    leftovers.push(async () => socket.stop?.(1_000));
    expect((await stat(join(opened.directory, 'control'))).mode & 0o777).toBe(0o700);

    const revoked: string[] = [];
    opened.client.keyRevoked.subscribe(({ keyHash }) => revoked.push(keyHash));
    const key = keyAt({ DATA_DIR: opened.directory });
    const text = await expectKeyLifecycle(key);
    expect(revoked).toEqual([hashKey(text)]);
    await expect(key('create', 'x'.repeat(101))).rejects.toThrow('<=100 characters');

    const path = socketPath(opened.directory);
    expect(await post(path, '/authenticate', '{}')).toBe(404);
    expect(await post(path, '/createKey', 'not json')).toBe(400);
    expect(await post(path, '/createKey', '{"name":7}')).toBe(400);
    expect(await post(path, '/createKey', JSON.stringify({ name: 'x'.repeat(70_000) }))).toBe(413);
    expect(await post(path, '/listKeys', '{}')).toBe(200);
  });

  it('opens no socket if its path would be too long', async () => {
    const socket = commandSocket(testKit({ DATA_DIR: '/x'.repeat(60) }), { link: inProcessLink() });
    await socket.start?.();
    await socket.stop?.(100);
  });
});

function post(socket: string, path: string, body: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath: socket, path, method: 'POST' }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
