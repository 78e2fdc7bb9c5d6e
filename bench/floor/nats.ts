import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

export interface NatsServer {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

/** A nats-server of the floor's own, so that its cost is counted apart from the gateway's. */
export async function startNatsServer(): Promise<NatsServer> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-bench-nats-'));
  const child = spawn('nats-server', ['-a', '127.0.0.1', '-p', '-1', '--ports_file_dir', folder], { stdio: 'ignore' });
  await once(child, 'spawn');
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    return { url: await readUrl(folder), pid: child.pid ?? 0, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The server writes the port it was given into a file once it listens. */
async function readUrl(folder: string): Promise<string> {
  for (const deadline = performance.now() + 5_000; performance.now() < deadline; await wait(20)) {
    const [file] = await readdir(folder);
    const url = file && /"nats:\/\/[^"]+"/.exec(await readFile(join(folder, file), 'utf8'))?.[0];
    if (url) return url.slice(1, -1);
  }
  throw new Error('nats-server did not start within 5 s');
}
