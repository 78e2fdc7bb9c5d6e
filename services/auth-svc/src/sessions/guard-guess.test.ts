import { GatewayError } from '@switchyard/contracts';
import { createTestDatabase } from '@switchyard/database/testing';
import { type Database, openDatabase } from '@switchyard/database';
import { openMemoryStore } from '@switchyard/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPasswords } from '../users/passwords.ts';
import { createAttempts } from './attempts.ts';
import { createSessions } from './sessions.ts';

/** Slow enough that many sign-ins at once fill the queue of hashing. */
const slow = { log2N: 13, r: 8, p: 1 };

describe('guessing passwords', () => {
  let database: Database;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const created = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
    drop = created.drop;
    database = await openDatabase({ url: created.url });
    await database.migrate();
  });
  afterAll(async () => {
    await database.close();
    await drop();
  });

  const openSessions = (cost = slow) =>
    createSessions({ database, passwords: createPasswords({ cost }), attempts: createAttempts(openMemoryStore()) });

  const codeOf = (sessions: ReturnType<typeof openSessions>, { email, address }: { email: string; address: string }) =>
    sessions.signIn({ email, password: 'a guess', address }).then(
      () => 'signed in',
      (error: unknown) => (error instanceof GatewayError ? error.code : String(error)),
    );

  it('is bounded for an address also where hashing is too busy to judge', async () => {
    const sessions = openSessions();
    const guess = (n: number) => codeOf(sessions, { email: `user${n}@nowhere.test`, address: '203.0.113.1' });
    const atOnce = await Promise.all(Array.from({ length: 45 }, (_, n) => guess(n)));
    expect(new Set(atOnce)).toEqual(new Set(['invalid_credentials', 'overloaded']));
    const later = [];
    for (let n = 45; n < 51; n++) later.push(await guess(n));
    expect(later).toEqual([...Array<string>(5).fill('invalid_credentials'), 'rate_limit_exceeded']);
  });

  it('is not counted against an e-mail where hashing is too busy to judge', async () => {
    const sessions = openSessions();
    const flood = Promise.all(
      Array.from({ length: 45 }, (_, n) => codeOf(sessions, { email: `${n}@nowhere.test`, address: '203.0.113.2' })),
    );
    const guess = (n: number) => codeOf(sessions, { email: 'victim@nowhere.test', address: `203.0.113.${n}` });
    const during = await Promise.all(Array.from({ length: 9 }, (_, n) => guess(n + 10)));
    expect(during).toContain('overloaded');
    await flood;
    const judged = during.filter((code) => code !== 'overloaded');
    const after = [];
    for (let n = judged.length; n < 11; n++) after.push(await guess(n + 20));
    const refused = Array<string>(10).fill('invalid_credentials');
    expect([...judged, ...after]).toEqual([...refused, 'rate_limit_exceeded']);
  });
});
