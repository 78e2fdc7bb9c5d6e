import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, openDatabase } from '@tallyport/database';
import { createTestDatabase, preparedDirectory } from '@tallyport/database/testing';
import { StartError } from '@tallyport/service-kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyFile } from './key-file.ts';
import { generateMasterKey } from './master-key.ts';
import { Secret } from './secret.ts';
import { createSecrets, type Secrets } from './secrets.ts';

const place = { id: 'one', purpose: 'test' };
const allRows = ({ kysely }: Database) => kysely.selectFrom('secrets').selectAll().orderBy('id').execute();

/** The message that stops a start. */
const refusal = async (starting: Promise<unknown>): Promise<string> => {
  const error = await starting.then(
    () => new Error('It started.'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof StartError) return error.message;
  throw error;
};

describe('secrets in Postgres', () => {
  let database: Database;
  let drop: () => Promise<void>;
  beforeEach(async () => {
    const created = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
    database = await openDatabase({ url: created.url });
    await database.migrate();
    drop = created.drop;
  });
  afterEach(async () => {
    await database.close();
    await drop();
  });

  const start = async (...keys: string[]): Promise<Secrets> => {
    const SECRETS_KEY = keys.length === 0 ? undefined : keys;
    const secrets = createSecrets({ SECRETS_KEY, DATABASE_URL: 'postgres://elsewhere', DATA_DIR: '/nowhere' });
    await secrets.prepare(database);
    return secrets;
  };
  const oldKey = `old:${generateMasterKey()}`;
  const newKey = `new:${generateMasterKey()}`;

  it('are stored, read and replaced, and the table contains no plain text', async () => {
    const secrets = await start(oldKey);
    await secrets.keep(database.kysely, place, new Secret('plain-text-1'));
    expect((await secrets.read(database.kysely, place))?.reveal()).toBe('plain-text-1');
    await secrets.keep(database.kysely, place, new Secret('plain-text-2'));
    expect((await secrets.read(database.kysely, place))?.reveal()).toBe('plain-text-2');
    expect(await secrets.read(database.kysely, { ...place, purpose: 'other' })).toBeUndefined();
    expect(await secrets.read(database.kysely, { ...place, id: 'two' })).toBeUndefined();
    const rows = JSON.stringify(await allRows(database));
    expect(rows).not.toContain('plain-text');
    expect(rows).not.toContain(Buffer.from('plain-text').toString('base64url'));
  });

  it('are read with any of several keys, and stored with the first', async () => {
    const before = await start(oldKey);
    await before.keep(database.kysely, place, new Secret('text'));
    const after = await start(newKey, oldKey);
    expect((await after.read(database.kysely, place))?.reveal()).toBe('text');
    await after.keep(database.kysely, place, new Secret('again'));
    expect(await allRows(database)).toMatchObject([
      { id: 'check', key_id: 'old' },
      { id: 'one', key_id: 'new' },
    ]);
    await expect(before.read(database.kysely, place)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it.each([
    ['another key', () => [newKey], 'add the key "old" to it'],
    ['another key of the same name', () => [`old:${generateMasterKey()}`], 'add the key "old" to it'],
    ['no key', () => [], 'set SECRETS_KEY to the key they were encrypted with'],
  ])('%s stops the start, is explained, and changes nothing', async (_what, keys, message) => {
    await (await start(oldKey)).keep(database.kysely, place, new Secret('text'));
    const before = await allRows(database);
    const problem = await refusal(start(...keys()));
    expect(problem).toContain(message);
    expect(problem).toContain('SECRETS_KEY');
    expect(problem).toContain('Nothing was changed.');
    expect(await allRows(database)).toEqual(before);
    expect((await (await start(oldKey)).read(database.kysely, place))?.reveal()).toBe('text');
  });

  it('without a key and secrets, starts, and explains what to do before a secret is stored', async () => {
    const secrets = await start();
    const problem = { code: 'unavailable', message: expect.stringContaining('SECRETS_KEY is not set') };
    expect(secrets.obstacle()).toContain('SECRETS_KEY is not set');
    await expect(secrets.keep(database.kysely, place, new Secret('text'))).rejects.toMatchObject(problem);
    expect(await allRows(database)).toEqual([]);
    expect((await start(oldKey)).obstacle()).toBeUndefined();
  });

  it('of two concurrent first starts with different keys, one stops', async () => {
    const starts = await Promise.allSettled([start(oldKey), start(newKey)]);
    const stopped = starts.filter(({ status }) => status === 'rejected');
    expect(stopped).toHaveLength(1);
    const [check] = await allRows(database);
    const other = check?.key_id === 'old' ? newKey : oldKey;
    expect(await refusal(start(other))).toContain(`add the key "${check?.key_id}" to it`);
  });
});

describe('secrets in an embedded database', () => {
  let directory: string;
  let database: Database;
  beforeEach(async () => {
    directory = await preparedDirectory();
    database = await openDatabase({ directory });
    await database.migrate();
  });
  afterEach(async () => {
    await database.close();
    await rm(directory, { recursive: true });
  });

  const start = async (...keys: string[]): Promise<Secrets> => {
    const SECRETS_KEY = keys.length === 0 ? undefined : keys;
    const secrets = createSecrets({ SECRETS_KEY, DATABASE_URL: undefined, DATA_DIR: directory });
    await secrets.prepare(database);
    return secrets;
  };

  it('have a key that is created once, readable by its owner only, and never overwritten', async () => {
    const secrets = await start();
    await secrets.keep(database.kysely, place, new Secret('plain-text'));
    const file = keyFile(directory);
    const text = await readFile(file, 'utf8');
    await chmod(file, 0o644);
    expect((await (await start()).read(database.kysely, place))?.reveal()).toBe('plain-text');
    expect(await readFile(file, 'utf8')).toBe(text);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readdir(directory)).filter((name) => name.startsWith('secrets-key'))).toEqual(['secrets-key']);
  });

  it('stay readable when SECRETS_KEY is set later', async () => {
    await (await start()).keep(database.kysely, place, new Secret('text'));
    const secrets = await start(`mine:${generateMasterKey()}`);
    expect((await secrets.read(database.kysely, place))?.reveal()).toBe('text');
    await secrets.keep(database.kysely, place, new Secret('text'));
    expect(await allRows(database)).toMatchObject([{ id: 'check' }, { id: 'one', key_id: 'mine' }]);
  });

  it.each([
    ['is gone', (file: string) => rm(file), 'restore '],
    ['is damaged', (file: string) => writeFile(file, 'half a ke'), 'does not contain a valid key'],
    ['is another one', (file: string) => writeFile(file, generateMasterKey()), 'SECRETS_KEY does not contain'],
  ])('a key file that %s stops the start and changes nothing', async (_what, harm, message) => {
    await (await start()).keep(database.kysely, place, new Secret('text'));
    const file = keyFile(directory);
    const key = await readFile(file);
    const before = await allRows(database);
    await harm(file);
    const left = await readFile(file).catch(() => 'none');
    const problem = await refusal(start());
    expect(problem).toContain(message);
    expect(problem).toContain('Nothing was changed.');
    expect(await allRows(database)).toEqual(before);
    expect(await readFile(file).catch(() => 'none')).toEqual(left);
    await writeFile(join(directory, 'secrets-key'), key);
    expect((await (await start()).read(database.kysely, place))?.reveal()).toBe('text');
  });
});
