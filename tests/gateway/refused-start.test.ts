import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { listen, stopServer } from '../../packages/service-kit/src/index.ts';
import { startOneProcess } from './one-process.ts';

// Processes: starts that are refused.

/** What a start that is refused prints on stderr. */
async function refusal(environment: Record<string, string>): Promise<unknown> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, PORT: '0', ADMIN_PORT: '0', SANDBOX_PORT: '0', ...environment };
  const start = promisify(execFile)(process.execPath, ['services/all-in-one/src/main.ts'], { env });
  return start.then(
    () => 'It started and ended.',
    ({ code, stderr }) => ({ code, stderr }),
  );
}

test('a second start in the same folder names the process and address of the first, not its ports', async () => {
  const first = await startOneProcess();
  onTestFinished(async () => void (await first.stop()));
  const portOf = (url: string) => new URL(url).port;
  expect(
    await refusal({
      DATA_DIR: first.directory,
      PORT: portOf(first.baseUrl),
      ADMIN_PORT: portOf(first.adminUrl),
    }),
  ).toEqual({
    code: 1,
    stderr: `Tallyport already runs here: process ${first.child.pid}, ${first.baseUrl}. Stop it, or set DATA_DIR, PORT and ADMIN_PORT to start another one.\n`,
  });
});

test('a port in use is named before the database is set up', async () => {
  const other = createServer();
  const port = new URL(await listen(other, { host: '127.0.0.1', port: 0 })).port;
  const parent = await mkdtemp(join(tmpdir(), 'tallyport-refused-'));
  onTestFinished(async () => {
    await stopServer(other, 0);
    await rm(parent, { recursive: true });
  });
  expect(await refusal({ DATA_DIR: join(parent, 'data'), PORT: port })).toEqual({
    code: 1,
    stderr: `Port ${port} is in use: set PORT to another port.\n`,
  });
  expect(await readdir(parent)).toEqual([]);
});

test('a data folder that cannot be used is named in one sentence', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'tallyport-refused-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  const DATA_DIR = join(parent, 'data');
  await writeFile(DATA_DIR, '');
  expect(await refusal({ DATA_DIR })).toEqual({
    code: 1,
    stderr: `DATA_DIR: ${DATA_DIR} cannot be used, because a part of the path is a file. Set it to a folder that this user may write.\n`,
  });
});

test('some of the services without the servers of the others are refused', async () => {
  const { NATS_URL, REDIS_URL } = { NATS_URL: 'nats://127.0.0.1:1', REDIS_URL: 'redis://127.0.0.1:1' };
  expect(await refusal({ SERVICES: 'edge,chat-svc', NATS_URL, REDIS_URL })).toEqual({
    code: 1,
    stderr:
      'SERVICES: edge, chat-svc without the other services requires INTERNAL_SECRET; set it, or leave SERVICES empty to run all services in one process.\n',
  });
});
