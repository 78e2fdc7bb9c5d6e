import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { KeptTexts } from '@tallyport/contracts';
import { type Database, openDatabase } from '@tallyport/database';
import { createTestDatabase } from '@tallyport/database/testing';
import {
  createKeyRing,
  createSecrets,
  ensureDefaultAccount,
  generateMasterKey,
  type KeyRing,
  readMasterKey,
  Secret,
  type Secrets,
} from '@tallyport/management-server';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createContentKeys } from '../../../ledger-svc/src/contents/content-keys.ts';
import { readContent } from '../../../ledger-svc/src/contents/read-content.ts';
import { createContentStore } from '../../../ledger-svc/src/contents/store-contents.ts';
import { reencryptSecrets } from './reencrypt.ts';

const oldKey = `old:${generateMasterKey()}`;
const newKey = `new:${generateMasterKey()}`;
const run = promisify(execFile);

let database: Database;
let url: string;
let drop: () => Promise<void>;
beforeEach(async () => {
  ({ url, drop } = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? ''));
  database = await openDatabase({ url });
  await database.migrate();
});
afterEach(async () => {
  await database.close();
  await drop();
});

async function start(...SECRETS_KEY: string[]): Promise<Secrets> {
  const secrets = createSecrets({ SECRETS_KEY, DATABASE_URL: url, DATA_DIR: '/nowhere' });
  await secrets.prepare(database);
  return secrets;
}

function ringOf(...texts: string[]): KeyRing {
  const [first, ...others] = texts.map(readMasterKey).filter((key) => key !== undefined);
  if (first === undefined) throw new Error('A ring has a key.');
  return createKeyRing([first, ...others]);
}

const placeOf = (at: number) => ({ id: `secret ${String(at).padStart(3, '0')}`, purpose: 'test' });

async function keepMany(secrets: Secrets, count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await secrets.keep(database.kysely, placeOf(at), new Secret(`text ${at}`));
}

async function keyIds(): Promise<string[]> {
  const rows = await database.kysely.selectFrom('secrets').select('key_id').distinct().execute();
  return rows.map(({ key_id: keyId }) => keyId).toSorted();
}

it('re-encrypts any number of secrets with the first key, after which the others can be removed', async () => {
  await keepMany(await start(oldKey), 250);
  const ring = ringOf(newKey, oldKey);
  // One of them is the check value of later starts.
  expect(await reencryptSecrets(database, ring)).toEqual({ keyId: 'new', count: 251 });
  expect(await reencryptSecrets(database, ring)).toEqual({ keyId: 'new', count: 0 });
  const secrets = await start(newKey);
  for (const at of [0, 99, 100, 249]) {
    expect((await secrets.read(database.kysely, placeOf(at)))?.reveal()).toBe(`text ${at}`);
  }
  const audit = await database.kysely
    .selectFrom('audit_log')
    .select(['actor', 'action', 'subject', 'detail'])
    .execute();
  expect(audit).toEqual([{ actor: 'operator', action: 'secrets.reencrypted', subject: 'new', detail: { count: 251 } }]);
});

it('continues after an interruption without losing a secret', async () => {
  await keepMany(await start(oldKey), 150);
  const ring = ringOf(newKey, oldKey);
  let left = 120;
  const failing: KeyRing = {
    ...ring,
    seal(secret, place) {
      if (left === 0) throw new Error('the power failed');
      left -= 1;
      return ring.seal(secret, place);
    },
  };
  await expect(reencryptSecrets(database, failing)).rejects.toThrow('the power failed');
  expect(await keyIds()).toEqual(['new', 'old']);
  const duringRotation = await start(newKey, oldKey);
  for (const at of [0, 149])
    expect((await duringRotation.read(database.kysely, placeOf(at)))?.reveal()).toBe(`text ${at}`);
  expect(await reencryptSecrets(database, ring)).toEqual({ keyId: 'new', count: 31 });
  expect(await keyIds()).toEqual(['new']);
});

it('runs while services read and write, and concurrently with itself', async () => {
  const before = await start(oldKey);
  await keepMany(before, 120);
  const services = [before, await start(newKey, oldKey)];
  const ring = ringOf(newKey, oldKey);
  let stopped = false;
  const written = new Map<number, string>();
  const writing = (async () => {
    for (let round = 0; !stopped; round += 1) {
      const at = (round * 37) % 120;
      const text = `replaced ${round}`;
      // The old key is used for a while only: if it never stops, re-encryption gives up with an error.
      const writer = round < 40 ? services[round % 2] : services[1];
      await writer?.keep(database.kysely, placeOf(at), new Secret(text));
      written.set(at, text);
      expect((await services[1]?.read(database.kysely, placeOf(at)))?.reveal()).toBe(text);
    }
  })();
  const done = await Promise.all([reencryptSecrets(database, ring), reencryptSecrets(database, ring)]).finally(() => {
    stopped = true;
  });
  await writing;
  expect(done.map(({ keyId }) => keyId)).toEqual(['new', 'new']);
  await reencryptSecrets(database, ring);
  const after = await start(newKey);
  expect(written.size).toBeGreaterThan(0);
  for (let at = 0; at < 120; at += 1) {
    expect((await after.read(database.kysely, placeOf(at)))?.reveal()).toBe(written.get(at) ?? `text ${at}`);
  }
});

it('re-encrypts what it can read, and names the rest', async () => {
  await keepMany(await start(oldKey), 3);
  const broken = { key_id: 'lost', sealed: 'AAAA' };
  await database.kysely.updateTable('secrets').set(broken).where('id', '=', placeOf(1).id).execute();
  await expect(reencryptSecrets(database, ringOf(newKey, oldKey))).rejects.toThrow(
    '1 of the secrets cannot be read with SECRETS_KEY: secret 001. Add the key they were encrypted with; the others are re-encrypted.',
  );
  expect(await keyIds()).toEqual(['lost', 'new']);
});

it('npm run secrets generates a key, re-encrypts, and prints its usage', async () => {
  const secrets = async (environment: Record<string, string>, ...words: string[]) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, DATABASE_URL: url, ...environment };
    const ran = await run(process.execPath, ['services/auth-svc/src/commands/secrets.ts', ...words], { env }).catch(
      (failed: { code: number; stdout: string; stderr: string }) => failed,
    );
    return { code: 'code' in ran ? ran.code : 0, stdout: ran.stdout, stderr: ran.stderr };
  };
  await keepMany(await start(oldKey), 2);
  const generated = await secrets({}, 'generate');
  expect(generated).toEqual({ code: 0, stdout: expect.stringMatching(/^[\w+/]{43}=\n$/), stderr: '' });
  const fresh = generated.stdout.trim();
  const keyId = readMasterKey(fresh)?.id;
  expect(await secrets({ SECRETS_KEY: `${fresh},${oldKey}` }, 'reencrypt')).toEqual({
    code: 0,
    stdout: `3 secrets are encrypted with the key "${keyId}". You can remove the other keys from SECRETS_KEY.\n`,
    stderr: '',
  });
  expect(await secrets({ SECRETS_KEY: fresh }, 'reencrypt')).toMatchObject({
    code: 0,
    stdout: `All secrets are already encrypted with the key "${keyId}". You can remove the other keys from SECRETS_KEY.\n`,
  });
  const wrong = await secrets({ SECRETS_KEY: oldKey }, 'reencrypt');
  expect(wrong).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(`add the key "${keyId}" to it`) });
  expect(await secrets({}, 'reencrypt')).toMatchObject({ code: 1, stderr: expect.stringContaining('SECRETS_KEY') });
  expect(await secrets({}, 'help')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('npm run secrets -- generate'),
  });
});

it('leaves prompts and answers as they are: only the keys that encrypt them are encrypted anew', async () => {
  const content: KeptTexts = { prompt: { parts: [{ kind: 'text', text: 'Hello' }], cut: false } };
  const accountId = 'default';
  await ensureDefaultAccount(database);
  const contentLog = JSON.stringify({ days: 1, maxBytes: 4_096 });
  await database.kysely.updateTable('accounts').set({ content_log: contentLog }).execute();
  const store = createContentStore(database, createContentKeys(await start(oldKey)));
  await store([{ id: 'use_1', accountId, content }]);
  const rows = () => database.kysely.selectFrom('request_contents').selectAll().execute();
  const before = await rows();
  expect(await reencryptSecrets(database, ringOf(newKey, oldKey))).toEqual({ keyId: 'new', count: 2 });
  expect(await rows()).toEqual(before);
  const contentKeys = createContentKeys(await start(newKey));
  const caller = { accountId, actor: 'operator', role: 'owner', operator: true } as const;
  expect(await readContent({ database, contentKeys }, caller, 'use_1')).toEqual(content);
});
