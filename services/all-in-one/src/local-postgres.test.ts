import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hasLocalPostgres } from './local-postgres.ts';

test('a Postgres of this machine is known by its socket', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tallyport-socket-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, '.s.PGSQL.5432');
  expect(await hasLocalPostgres([folder, '/nowhere'])).toBe(false);
  await writeFile(path, '');
  expect(await hasLocalPostgres([folder])).toBe(false);
  await rm(path);
  const server = createServer().listen(path);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  expect(await hasLocalPostgres(['/nowhere', folder])).toBe(true);
});
