import { GatewayError } from '@tallyport/contracts';
import { createTestDatabase } from '@tallyport/database/testing';
import { type Database, openDatabase } from '@tallyport/database';
import { openMemoryStore } from '@tallyport/store';
import { createAttempts } from '@tallyport/management-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPasswords } from '../users/passwords.ts';
import { addUser } from '../users/users.ts';
import { createSessions } from './sessions.ts';

/** Slow enough that many concurrent sign-ins fill the hashing queue. */
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
    createSessions({
      database,
      passwords: createPasswords({ cost }),
      attempts: createAttempts(openMemoryStore()),
      announce: { keysEnded: () => {} },
      secrets: { keep: () => Promise.reject(new Error('There are no secrets.')) },
    });

  const codeOf = (sessions: ReturnType<typeof openSessions>, { email, address }: { email: string; address: string }) =>
    sessions.signIn({ email, password: 'a guess', address }).then(
      () => 'signed in',
      (error: unknown) => (error instanceof GatewayError ? error.code : String(error)),
    );

  it('is limited per address even while hashing is overloaded', async () => {
    const sessions = openSessions();
    const guess = (n: number) => codeOf(sessions, { email: `user${n}@nowhere.test`, address: '203.0.113.1' });
    const atOnce = await Promise.all(Array.from({ length: 45 }, (_, n) => guess(n)));
    expect(new Set(atOnce)).toEqual(new Set(['invalid_credentials', 'overloaded']));
    const later = [];
    for (let n = 45; n < 51; n++) later.push(await guess(n));
    expect(later).toEqual([...Array<string>(5).fill('invalid_credentials'), 'rate_limit_exceeded']);
  });

  it('is not counted per e-mail while hashing is overloaded', async () => {
    const sessions = openSessions();
    const flood = Promise.all(
      Array.from({ length: 45 }, (_, n) => codeOf(sessions, { email: `${n}@nowhere.test`, address: '203.0.113.2' })),
    );
    const guess = (n: number) => codeOf(sessions, { email: 'victim@nowhere.test', address: `2001:db8::${n}` });
    const during = await Promise.all(Array.from({ length: 9 }, (_, n) => guess(n + 10)));
    expect(during).toContain('overloaded');
    await flood;
    const judged = during.filter((code) => code !== 'overloaded');
    const after = [];
    for (let n = judged.length; n < 11; n++) after.push(await guess(n + 20));
    const refused = Array<string>(10).fill('invalid_credentials');
    expect([...judged, ...after]).toEqual([...refused, 'rate_limit_exceeded']);
  });

  describe('of one e-mail address', () => {
    const email = 'ada@example.com';
    const password = 'correct horse battery';
    const quick = { log2N: 10, r: 8, p: 1 };
    const wrongFrom = (sessions: ReturnType<typeof openSessions>, address: string) =>
      codeOf(sessions, { email, address });
    beforeAll(async () => {
      const passwordHash = await createPasswords({ cost: quick }).hash(password);
      await addUser(database.kysely, { email, passwordHash });
    });

    it('from ten networks does not lock out its owner on another', async () => {
      const sessions = openSessions(quick);
      const codes: string[] = [];
      for (let network = 1; network <= 9; network++) {
        for (let n = 0; n < 11; n++) codes.push(await wrongFrom(sessions, `198.51.100.${network}`));
      }
      const ofNetwork = [...Array<string>(10).fill('invalid_credentials'), 'rate_limit_exceeded'];
      expect(codes).toEqual(Array.from({ length: 9 }, () => ofNetwork).flat());
      expect(await sessions.signIn({ email, password, address: '203.0.113.1' })).toMatchObject({
        token: expect.any(String),
      });
    });

    it('from everywhere ends after a hundred attempts, except where its owner has signed in', async () => {
      const sessions = openSessions(quick);
      await sessions.signIn({ email, password, address: '203.0.113.1' });
      const codes: string[] = [];
      for (let n = 0; n < 101; n++) codes.push(await wrongFrom(sessions, `198.51.100.${n}`));
      expect(codes).toEqual([...Array<string>(100).fill('invalid_credentials'), 'rate_limit_exceeded']);
      await sessions.signIn({ email, password, address: '203.0.113.1' });
      const there = [];
      for (let n = 0; n < 11; n++) there.push(await wrongFrom(sessions, '203.0.113.1'));
      expect(there).toEqual([...Array<string>(10).fill('invalid_credentials'), 'rate_limit_exceeded']);
    });
  });
});
