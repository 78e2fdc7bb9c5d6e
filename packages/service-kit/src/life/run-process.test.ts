import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { TestContext } from 'vitest';
import { listen, stopServer } from '../admin/listen.ts';

/** These processes start five at a time, beside the tests of other files: on a busy machine a start takes seconds. */
const fixture = fileURLToPath(new URL('./fixtures/life.ts', import.meta.url));

interface Line {
  readonly message: string;
  readonly [field: string]: unknown;
}

/** Starts a real process and gives access to its log and exit code. */
function startLife(
  { expect, onTestFinished }: TestContext,
  environment: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
  mostDescriptors?: number,
) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const limit = mostDescriptors === undefined ? '' : `ulimit -n ${mostDescriptors}; `;
  const child = spawn('/bin/sh', ['-c', `${limit}exec "$0" "$@"`, process.execPath, ...flags, fixture], {
    cwd: tmpdir(),
    env: { PATH, NODE_COMPILE_CACHE, PORT: '0', ADMIN_PORT: '0', SHUTDOWN_TIMEOUT_MS: '5000', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const out = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (out.stderr += text));
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = (): Line[] =>
    out.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  const logged = (message: string) => lines().find((line) => line.message === message);
  return {
    child,
    stderr: () => out.stderr,
    logged,
    stdout: () => out.stdout,
    events: () => lines().flatMap((line) => (line.message === 'event' ? [String(line['what'])] : [])),
    async until(message: string): Promise<Line> {
      await expect.poll(() => logged(message), { interval: 10 }).toBeDefined();
      return logged(message) ?? { message };
    },
    async ended() {
      const [code, signal] = await once(child, 'close');
      return code ?? signal;
    },
  };
}

describe.concurrent('a process', () => {
  test.for(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'stops cleanly at %s, in reverse order',
    async (signal, context) => {
      const life = startLife(context, {});
      await life.until('ready');
      const end = life.ended();
      life.child.kill(signal);
      // One key press sends the signal twice: from the terminal and from the parent process.
      life.child.kill(signal);
      expect(await end).toBe(0);
      expect(life.events().toSpliced(1, 1)).toEqual([
        'first started',
        'last started',
        'last stopped',
        'first stopped',
        'closed what compose opened',
      ]);
      expect(life.stderr()).toBe('');
    },
  );

  test('serves its readiness and metrics', async (context) => {
    const life = startLife(context, { SCENE: 'not-ready' });
    const { admin } = await life.until('ready');
    const response = await fetch(`${String(admin)}/readyz`);
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 503,
      body: {
        ready: false,
        phase: 'running',
        parts: {
          'admin server': { ok: true },
          first: { ok: true },
          'http server': { ok: true },
          last: { ok: false, message: 'The store is away.' },
        },
      },
    });
    const metrics = await fetch(`${String(admin)}/metrics`);
    expect(await metrics.text()).toContain('process_resident_memory_bytes');
  });

  test.for([
    ['start-error', 'The key file is damaged: remove it.\n', ['first stopped', 'closed what compose opened']],
    ['compose-error', 'The data directory ./data is used by another process.\n', ['closed what compose opened']],
  ] as const)('that cannot start prints the reason in a sentence: %s', async ([SCENE, sentence, stopped], context) => {
    const life = startLife(context, { SCENE });
    expect(await life.ended()).toBe(1);
    expect(life.stderr()).toBe(sentence);
    expect(life.logged('start failed')).toBeUndefined();
    expect(life.events().filter((what) => /stopped|closed/.test(what))).toEqual(stopped);
  });

  test('that cannot start for an unknown reason prints it and logs the details, without secrets', async (context) => {
    const life = startLife(context, { SCENE: 'unknown-error' });
    expect(await life.ended()).toBe(1);
    expect(life.stderr()).toBe('life could not start: of a secret sk-[redacted]\n');
    expect(life.logged('start failed')).toMatchObject({
      level: 'fatal',
      error: { name: 'TypeError', message: 'of a secret sk-[redacted]', stack: expect.stringContaining('life.ts') },
    });
  });

  test('collects the garbage of its start, where Node allows it', async (context) => {
    const life = startLife(context, { SCENE: 'garbage' }, ['--expose-gc']);
    // With a large young generation V8 itself collects nothing so early.
    const other = startLife(context, { SCENE: 'garbage' }, ['--min-semi-space-size=64']);
    expect(await life.until('garbage of the start')).toMatchObject({ left: false });
    expect(await other.until('garbage of the start')).toMatchObject({ left: true });
  });

  test.for(['PORT', 'ADMIN_PORT'])('whose %s is in use names the setting', async (setting, context) => {
    const other = createServer();
    const port = new URL(await listen(other, { host: '127.0.0.1', port: 0 })).port;
    const life = startLife(context, { [setting]: port });
    expect(await life.ended()).toBe(1);
    expect(life.stderr()).toBe(`Port ${port} is in use: set ${setting} to another port.\n`);
    await stopServer(other, 1000);
  });

  test('that checks its ports first names all that are in use, and starts nothing', async (context) => {
    const others = [createServer(), createServer()];
    const ports = await Promise.all(
      others.map(async (other) => new URL(await listen(other, { host: '127.0.0.1', port: 0 })).port),
    );
    const [PORT = '', ADMIN_PORT = ''] = ports;
    const life = startLife(context, { SCENE: 'checked', PORT, ADMIN_PORT });
    expect(await life.ended()).toBe(1);
    expect(life.stderr()).toBe(`Ports ${PORT} and ${ADMIN_PORT} are in use: set PORT and ADMIN_PORT to other ports.\n`);
    expect(life.events()).toEqual([]);
    await Promise.all(others.map((other) => stopServer(other, 1000)));
  });

  test('that checks its ports first starts on free ones', async (context) => {
    const life = startLife(context, { SCENE: 'checked' });
    await life.until('ready');
  });

  test('names the setting for a variable that is almost one', async (context) => {
    const life = startLife(context, { EXAMPLE_APIKEY: 'secret-of-the-example' });
    await life.until('ready');
    expect(life.logged('EXAMPLE_APIKEY is not a setting: the key is read from EXAMPLE_API_KEY')).toMatchObject({
      level: 'warn',
    });
    expect(life.stdout()).not.toContain('secret-of-the-example');
  });

  test('with an address of another machine names the setting', async (context) => {
    const life = startLife(context, { HOST: '192.0.2.1' });
    expect(await life.ended()).toBe(1);
    expect(life.stderr()).toBe('This machine does not have the address 192.0.2.1: set HOST to one that it has.\n');
  });

  test('of several modules names each one in the log, once', async (context) => {
    const life = startLife(context, {});
    await life.until('ready');
    expect(life.stdout()).toMatch(/^\{"level":"info","time":"[^"]+","service":"module","pid":\d+,"message":"a module/m);
    expect(life.logged('ready')).toMatchObject({ service: 'life' });
  });

  test('with an invalid configuration prints all problems and starts nothing', async (context) => {
    const life = startLife(context, { PORT: 'many', SHUTDOWN_TIMEOUT_MS: '0', TALLYPORT_PORTS: '1' });
    expect(await life.ended()).toBe(1);
    expect(life.stderr().split('\n')).toEqual([
      'TALLYPORT_PORTS: unknown setting; did you mean PORT?',
      expect.stringContaining('SHUTDOWN_TIMEOUT_MS: must be a whole number'),
      'PORT: must be a whole number from 0 to 65535, but is "many".',
      '',
    ]);
    expect(life.events()).toEqual([]);
  });

  test.for([
    ['stop-hangs', 'part did not stop in time'],
    ['stop-fails', 'part failed to stop'],
  ] as const)('exits with 1 when a part does not stop cleanly: %s', async ([SCENE, message], context) => {
    const life = startLife(context, { SCENE, SHUTDOWN_TIMEOUT_MS: '300' });
    await life.until('ready');
    const end = life.ended();
    life.child.kill('SIGTERM');
    expect(await end).toBe(1);
    expect(life.logged(message)).toMatchObject({ part: 'last' });
    expect(life.events()).toContain('first stopped');
  });

  test.for([
    ['SIGINT', 'waiting for 1 request (at most 5 s); Ctrl-C again ends now'],
    ['SIGTERM', 'waiting for 1 request (at most 5 s); a second signal ends now'],
  ] as const)('logs at %s that it waits for a request', async ([signal, message], context) => {
    const life = startLife(context, { SCENE: 'slow-request' });
    await life.until('ready');
    const end = life.ended();
    const response = await fetch(life.events()[1] ?? '');
    life.child.kill(signal);
    await life.until(message);
    await response.body?.cancel();
    expect(await end).toBe(0);
  });

  test('exits at once at the second signal', async (context) => {
    const life = startLife(context, { SCENE: 'stop-hangs', SHUTDOWN_TIMEOUT_MS: '60000' });
    await life.until('ready');
    const end = life.ended();
    life.child.kill('SIGTERM');
    await life.until('stopping');
    const again = setInterval(() => life.child.kill('SIGTERM'), 50);
    void end.finally(() => clearInterval(again));
    expect(await end).toBe(1);
    expect(life.logged('forced exit: second signal')).toMatchObject({ signal: 'SIGTERM' });
  });

  test('with an uncaught error drains and exits with 1', async (context) => {
    const life = startLife(context, { SCENE: 'uncaught' });
    expect(await life.ended()).toBe(1);
    expect(life.logged('fatal error, stopping')).toMatchObject({ level: 'fatal', error: { message: 'not caught' } });
    expect(life.events()).toContain('first stopped');
  });

  test('keeps running without a free file descriptor', async (context) => {
    const life = startLife(context, { SCENE: 'no-descriptor' }, [], 256);
    const { admin } = await life.until('ready');
    const shortage = await life.until('no file descriptor is free; raise the limit of open files (ulimit -n)');
    expect(shortage).toMatchObject({ level: 'warn', error: { code: 'EMFILE' } });
    await context.expect.poll(async () => (await fetch(`${String(admin)}/livez`)).status).toBe(200);
    const end = life.ended();
    life.child.kill('SIGTERM');
    expect(await end).toBe(0);
  });

  test('keeps running and stops cleanly when its log is no longer read', async (context) => {
    const life = startLife(context, {});
    const { admin } = await life.until('ready');
    life.child.stdout.destroy();
    for (let count = 0; count < 3; count += 1) expect((await fetch(`${String(admin)}/livez`)).status).toBe(200);
    const end = life.ended();
    life.child.kill('SIGTERM');
    expect(await end).toBe(0);
  });

  test('does not become ready when it is stopped during the start', async (context) => {
    const life = startLife(context, { SLOW_START_MS: '500' });
    await context.expect.poll(() => life.events().length, { interval: 5 }).toBe(2);
    const end = life.ended();
    life.child.kill('SIGTERM');
    expect(await end).toBe(0);
    expect(life.logged('ready')).toBeUndefined();
    expect(life.events().slice(-4)).toEqual([
      'last started',
      'last stopped',
      'first stopped',
      'closed what compose opened',
    ]);
  });
});
