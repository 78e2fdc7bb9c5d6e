import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dockerAnswers } from '../support/docker.ts';

const reachable = await dockerAnswers();
if (!reachable) console.warn('No Docker engine is running: docker-compose.yml is checked without starting it.');

const folder = fileURLToPath(new URL('../..', import.meta.url));
const project = 'switchyard-test';
/** Each container gets a fifth of a core, as on a small machine that has just built the images. */
const files = ['--file', 'docker-compose.yml', '--file', 'tests/deploy/slow-machine.yaml'];
const run = promisify(execFile);
/** Images are pulled and built the first time. */
const upMs = 15 * 60_000;

async function compose(...words: string[]): Promise<string> {
  const { stdout } = await run('docker', ['compose', ...files, '--project-name', project, ...words], {
    cwd: folder,
    timeout: upMs,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

describe.skipIf(!reachable)('docker compose up on a slow machine', () => {
  beforeAll(() => compose('up', '--build', '--detach', '--wait'), upMs);
  afterAll(() => compose('down', '--volumes', '--remove-orphans'), 120_000);

  test('answers a chat of the simulated providers with the generated key', async () => {
    const key = /API key: (\S+)/.exec(await compose('logs', '--no-log-prefix', 'secrets'))?.[1] ?? '';
    const answer = await fetch('http://127.0.0.1:4000/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sandbox-chat', messages: [{ role: 'user', content: 'Hello' }] }),
      signal: AbortSignal.timeout(30_000),
    });
    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: expect.any(String) } }] });
  });

  test('lets Prometheus see every service', async () => {
    const query = 'http://127.0.0.1:9090/api/v1/query?query=count(up%20%3D%3D%201)';
    const upNow = async () => {
      const { data } = (await (await fetch(query)).json()) as { data: { result: { value: [number, string] }[] } };
      return Number(data.result[0]?.value[1] ?? 0);
    };
    await expect.poll(upNow, { timeout: 60_000 }).toBeGreaterThanOrEqual(6);
  }, 70_000);
});
