import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { ask } from './testing/raw-client.ts';

const start = (...flags: string[]) =>
  spawn(process.execPath, [new URL('main.ts', import.meta.url).pathname, ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });

test('as a process: prints its URL, answers, and ends on SIGTERM even while streaming', async () => {
  const child = start('--chunks-per-second', '1', '--api-key', 'secret');
  const exited = once(child, 'exit');
  const [line] = await once(child.stdout, 'data');
  const { url } = JSON.parse(String(line));
  const body = { model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hi' }], stream: true };
  const asked = ask({
    url: `${url}/sandbox-a/v1/chat/completions`,
    body,
    headers: { authorization: 'Bearer secret' },
    leaveAfterBytes: 1,
  });
  expect((await asked).status).toBe(200);
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

test('reports an invalid flag in one sentence', async () => {
  const child = start('--port', 'any');
  const [[text], [code]] = await Promise.all([once(child.stderr, 'data'), once(child, 'exit')]);
  expect([String(text), code]).toEqual(["--port must be a whole number, not 'any'.\n", 2]);
});
