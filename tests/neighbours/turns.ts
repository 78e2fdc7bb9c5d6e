import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

interface TurnMeter {
  /** Settings with which the processes are started. */
  environment: Record<string, string>;
  /** The longest turn of the event loop of each process since the last call, in milliseconds of processor time. */
  read(pids: Readonly<Record<string, number>>): Promise<Record<string, number>>;
  remove(): Promise<void>;
}

export async function createTurnMeter(): Promise<TurnMeter> {
  const folder = await mkdtemp(join(tmpdir(), 'tallyport-turns-'));
  async function read(pid: number): Promise<number> {
    const file = join(folder, String(pid));
    await rm(file, { force: true });
    process.kill(pid, 'SIGUSR2');
    for (;;) {
      const text = await readFile(file, 'utf8').catch(() => '');
      if (text !== '') return Math.round(Number(text));
      await pause(10);
    }
  }
  return {
    environment: {
      NODE_OPTIONS: `--import=${join(import.meta.dirname, 'turn-meter.mjs')}`,
      TURN_FOLDER: folder,
    },
    read: async (pids) =>
      Object.fromEntries(await Promise.all(Object.entries(pids).map(async ([name, pid]) => [name, await read(pid)]))),
    remove: () => rm(folder, { recursive: true }),
  };
}
