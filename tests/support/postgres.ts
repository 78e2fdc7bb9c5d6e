import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import { firstAnswer } from './probe.ts';
import { runToEnd } from './run-to-end.ts';
import type { Recipe } from './server.ts';
import { unprivilegedUser } from './unprivileged-user.ts';

export const postgres: Recipe = {
  name: 'postgres',
  variable: 'TEST_DATABASE_URL',
  programs: ['postgres', 'initdb'],
  aptPackage: 'postgresql',
  container: {
    image: 'postgres:17-alpine',
    port: 5432,
    command: ['postgres', '-c', 'fsync=off', '-c', 'max_connections=300'],
    environment: { POSTGRES_HOST_AUTH_METHOD: 'trust' },
  },
  stopSignal: 'SIGQUIT',
  url: (host, port) => `postgres://postgres@${host}:${port}/postgres`,
  answers: async (host, port) => (await firstAnswer(host, port, startupMessage()))?.toString('latin1', 0, 1) === 'R',
  prepare: initialize,
  command: ([server = 'postgres'], { port, directory }) => [
    server,
    '-D',
    join(directory, 'data'),
    '-h',
    '127.0.0.1',
    '-p',
    String(port),
    '-k',
    '',
    // Test data need not survive a crash of the machine, so durability is turned off.
    ...['fsync=off', 'full_page_writes=off', 'synchronous_commit=off'].flatMap((setting) => ['-c', setting]),
    ...['max_connections=300', 'shared_buffers=32MB', 'log_min_messages=error'].flatMap((setting) => ['-c', setting]),
  ],
  unprivileged: true,
};

async function initialize([, initdb = 'initdb']: readonly string[], directory: string): Promise<void> {
  const user = await unprivilegedUser();
  if (user) await chown(directory, user.uid, user.gid);
  const flags = '--auth=trust --username=postgres --encoding=UTF8 --locale=C --no-sync --no-instructions';
  await runToEnd(initdb, ['-D', join(directory, 'data'), ...flags.split(' ')], { ...user, cwd: directory });
}

/**
 * Protocol 3.0, user and database `postgres`: the answer starts with R when the server accepts sessions, with E before.
 */
function startupMessage(): Buffer {
  const text = Buffer.from('user\0postgres\0database\0postgres\0\0');
  const message = Buffer.alloc(8 + text.length);
  message.writeInt32BE(message.length, 0);
  message.writeInt32BE(3 << 16, 4);
  text.copy(message, 8);
  return message;
}
