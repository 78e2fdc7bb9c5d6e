import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from 'redis';

/** A redis-server of a test's own, so that it may be killed and stopped. */
export interface TestRedis {
  url: string;
  start(): Promise<void>;
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /** Ends it and removes its directory. */
  end(): Promise<void>;
}

/** Chooses a port; nothing listens on it before `start()`. */
export async function prepareRedis(settings: readonly string[] = []): Promise<TestRedis> {
  const port = await freePort();
  const directory = await mkdtemp(join(tmpdir(), 'store-test-'));
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', '', ...settings];
  let child: ReturnType<typeof launch> | undefined;

  const kill = async () => {
    const dying = child;
    child = undefined;
    if (!dying || dying.exitCode !== null || dying.signalCode !== null) return;
    const exit = once(dying, 'exit');
    dying.kill('SIGKILL');
    await exit;
  };

  return {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      child = launch(options);
      await readyToAccept(child);
    },
    async signal(signal) {
      if (signal === 'SIGKILL') await kill();
      else child?.kill(signal);
    },
    async end() {
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export async function startRedis(settings: readonly string[] = []): Promise<TestRedis> {
  const redis = await prepareRedis(settings);
  await redis.start();
  return redis;
}

/** Changes a running server, as its administrator would. */
export async function configureRedis(url: string, setting: string, value: string): Promise<void> {
  const client = await createClient({ url }).connect();
  await client.configSet(setting, value);
  await client.close();
}

function launch(options: readonly string[]) {
  return spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function readyToAccept(child: ReturnType<typeof launch>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let log = '';
    const fail = (cause?: unknown) => reject(new Error(`redis-server did not start: ${log}`, { cause }));
    const timer = setTimeout(fail, 10_000);
    child.once('error', fail).once('exit', fail);
    child.stdout.on('data', (chunk: Buffer) => {
      if (log.length < 10_000) log += chunk.toString();
      if (!log.includes('Ready to accept connections')) return;
      clearTimeout(timer);
      child.off('error', fail).off('exit', fail);
      resolve();
    });
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
