import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dockerAnswers } from '../support/docker.ts';
import { serviceNames } from './service-settings.ts';

const reachable = await dockerAnswers();
if (!reachable) console.warn('No Docker engine is running: docker-compose.yml is checked without starting it.');

const folder = fileURLToPath(new URL('../..', import.meta.url));
const project = 'tallyport-test';
/** Each container gets a fifth of a core, as on a small machine that has just built the images. */
const files = ['--file', 'docker-compose.yml', '--file', 'tests/deploy/slow-machine.yaml'];
const run = promisify(execFile);
/** Images are pulled and built the first time. */
const upMs = 15 * 60_000;

/** Settings of this shell do not reach the containers, nor does `BASE_URL`, which Vitest sets to `/`. */
const forDocker = /^(DOCKER_\w+|HOME|PATH|XDG_RUNTIME_DIR)$/;
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => forDocker.test(name)));

async function compose(...words: string[]): Promise<string> {
  const { stdout } = await run('docker', ['compose', ...files, '--project-name', project, ...words], {
    cwd: folder,
    env,
    timeout: upMs,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

/** What an inspection says of each container, by service. */
async function containers(template: string): Promise<Record<string, string>> {
  const ids = (await compose('ps', '--all', '--quiet')).trim().split('\n');
  const format = `{{index .Config.Labels "com.docker.compose.service"}} ${template}`;
  const { stdout } = await run('docker', ['inspect', '--format', format, ...ids]);
  return Object.fromEntries(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ', 2)),
  );
}

async function chat(content: string, stream: boolean): Promise<Response> {
  const key = /API key: (\S+)/.exec(await compose('logs', '--no-log-prefix', 'secrets'))?.[1] ?? '';
  return fetch('http://127.0.0.1:4000/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-chat', stream, messages: [{ role: 'user', content }] }),
  });
}

describe.skipIf(!reachable)('docker compose up on a slow machine', () => {
  beforeAll(async () => {
    await compose('up', '--build', '--detach', '--wait').catch(async (cause: unknown) => {
      throw new Error(`docker compose up failed:\n${await compose('logs', '--tail', '20')}`, { cause });
    });
  }, upMs);
  afterAll(() => compose('down', '--volumes', '--remove-orphans'));

  test('starts every container once', async () => {
    const restarts = await containers('{{.RestartCount}}');
    expect(Object.keys(restarts)).toEqual(expect.arrayContaining(['edge', 'catalog-svc', 'postgres']));
    expect(Object.entries(restarts).filter(([, count]) => count !== '0')).toEqual([]);
  });

  test('answers a chat of the simulated providers with the generated key', async () => {
    expect(await (await chat('Hello', false)).json()).toMatchObject({
      choices: [{ message: { content: expect.any(String) } }],
    });
  });

  test('lets Prometheus see every service', async () => {
    const query = 'http://127.0.0.1:9090/api/v1/query?query=count(up%20%3D%3D%201)';
    const upNow = async () => {
      const { data } = (await (await fetch(query)).json()) as { data: { result: { value: [number, string] }[] } };
      return Number(data.result[0]?.value[1] ?? 0);
    };
    await expect.poll(upNow).toBeGreaterThanOrEqual(serviceNames.length);
  });

  test('stops within the grace of every service, and ends a stream that takes longer with an error', async () => {
    const answer = await chat('[words:20000]', true);
    const [text] = await Promise.all([answer.text(), compose('stop')]);
    expect(text.trimEnd().split('\n\n').at(-1)).toMatch(/^data: {"error":.*"code":"unavailable"/);
    const codes = await containers('{{.State.ExitCode}}');
    expect(serviceNames.map((service) => [service, codes[service]])).toEqual(
      serviceNames.map((service) => [service, '0']),
    );
  });
});
