import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { postgres } from '../support/postgres.ts';
import { freePort } from '../support/probe.ts';
import { startProcessServer } from '../support/process-server.ts';
import type { TestServer } from '../support/server.ts';
import { testProgram } from '../support/test-programs.ts';
import { unprivilegedUser } from '../support/unprivileged-user.ts';

/** PgBouncer in transaction mode, with fewer connections than a service has, so that transactions share them. */
export async function startPgBouncer(server: URL, settings: readonly string[]): Promise<TestServer> {
  const program = await testProgram('pgbouncer');
  const port = await freePort();
  const { answers, url } = postgres;
  const prepare = (_programs: readonly string[], directory: string) =>
    writeConfiguration(directory, [`listen_port = ${port}`, ...settings], server);
  const command = (_programs: readonly string[], place: { directory: string }) => [program, fileIn(place.directory)];
  return startProcessServer(
    { name: 'pgbouncer', stopSignal: 'SIGTERM', unprivileged: true, url, answers, prepare, command },
    [program],
    { port },
  );
}

const fileIn = (directory: string): string => join(directory, 'pgbouncer.ini');

async function writeConfiguration(directory: string, settings: readonly string[], server: URL): Promise<void> {
  const lines = [
    '[databases]',
    `* = host=${server.hostname} port=${server.port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${join(directory, 'users')}`,
    'pool_mode = transaction',
    'default_pool_size = 3',
    ...settings,
  ];
  await writeFile(fileIn(directory), `${lines.join('\n')}\n`);
  await writeFile(join(directory, 'users'), '"postgres" ""\n"limited" ""\n');
  const user = await unprivilegedUser();
  if (user) await chown(directory, user.uid, user.gid);
}
