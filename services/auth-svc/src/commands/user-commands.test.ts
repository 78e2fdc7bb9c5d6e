import { type Database, openDatabase } from '@tallyport/database';
import { createTestDatabase, preparedDirectory } from '@tallyport/database/testing';
import { hashToken } from '@tallyport/management-server';
import { afterEach, describe, expect, it } from 'vitest';
import { commandSocket } from '../module.ts';
import { openAuth } from '../testing/open-auth.ts';
import { addUser } from '../users/users.ts';
import type { CommandPlaces } from '@tallyport/management-server';
import { openAdministration } from './open-administration.ts';
import { userCommand } from './user-commands.ts';

const publicUrl = 'https://gateway.example.com';

describe('npm run user', () => {
  const leftovers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const remove of leftovers.splice(0).toReversed()) await remove();
  });

  const run = async (places: CommandPlaces, ...words: string[]): Promise<string> => {
    const users = await openAdministration(places);
    try {
      return (await userCommand(words)?.({ users, publicUrl, close: users.close })) ?? 'no command';
    } finally {
      await users.close();
    }
  };

  const expectLink = async (places: CommandPlaces, { kysely }: Database): Promise<void> => {
    const userId = await addUser(kysely, { email: 'ada@example.com', passwordHash: 'none' });
    const output = await run(places, 'password', ' Ada@example.com');
    const [, token = ''] = /^https:\/\/gateway\.example\.com\/passwords\/([\w-]{43})\n/.exec(output) ?? [];
    const links = await kysely.selectFrom('password_links').select(['user_id', 'token_hash', 'account_id']).execute();
    expect(links).toEqual([{ user_id: userId, token_hash: hashToken(token), account_id: 'default' }]);
    const audit = await kysely.selectFrom('audit_log').select(['account_id', 'actor', 'action', 'subject']).execute();
    expect(audit).toEqual([
      { account_id: 'default', actor: 'operator', action: 'user.password_link_created', subject: userId },
    ]);
    await expect(run(places, 'password', 'bo@example.com')).rejects.toThrow(
      'No user has the e-mail address bo@example.com. Check the spelling.',
    );
  };

  it.each([[[]], [['password']], [['password', 'a@b.c', 'd']], [['remove', 'a@b.c']]])(
    'rejects the words %j',
    (words) => {
      expect(userCommand(words)).toBe(undefined);
    },
  );

  it('creates a link on Postgres', async () => {
    const { url, drop } = await createTestDatabase(process.env['TEST_DATABASE_URL'] ?? '');
    leftovers.push(drop);
    const database = await openDatabase({ url });
    leftovers.push(() => database.close());
    await database.migrate();
    await expectLink({ DATABASE_URL: url, DATA_DIR: '/nowhere' }, database);
  });

  it('creates a link through the running process that holds the data directory', async () => {
    const opened = await openAuth(await preparedDirectory());
    leftovers.push(opened.remove);
    const socket = commandSocket(opened.kit, opened);
    await socket.start?.();
    leftovers.push(async () => socket.stop?.(1_000));
    await expectLink({ DATA_DIR: opened.directory }, opened.database);
  });
});
