import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { DatabaseLog } from '../database.ts';
import { isRunning, startOfProcess } from './process-identity.ts';

interface DirectoryLock {
  release(): Promise<void>;
}

/** Another process holds the data directory. */
export class DirectoryInUseError extends Error {
  readonly directory: string;
  readonly pid: number;

  constructor(directory: string, pid: number) {
    super(
      `The data directory ${directory} is in use by process ${pid}: stop that Tallyport, or set DATA_DIR to another directory.`,
    );
    this.name = 'DirectoryInUseError';
    this.directory = directory;
    this.pid = pid;
  }
}

/**
 * Locks `directory` for this process until released; the lock of a dead process is taken over. Rejects at once with
 * DirectoryInUseError when a running process holds it.
 */
export async function lockDirectory(directory: string, log: DatabaseLog): Promise<DirectoryLock> {
  const file = join(directory, 'lock');
  const own: Holder = { pid: process.pid, host: hostname(), started: startOfProcess(process.pid), token: randomUUID() };
  for (let attempt = 0; attempt < 3; attempt++) {
    if (await create(file, own)) return keep(file, own);
    const found = await read(file);
    if (found === undefined) continue; // released meanwhile
    if (isAlive(found)) throw new DirectoryInUseError(directory, found.holder.pid);
    await putAside(file, found, own);
    log({ kind: 'lock_taken_over', directory, pid: found.holder.pid });
  }
  throw new DirectoryInUseError(directory, (await read(file))?.holder.pid ?? 0);
}

/** The running process that holds `directory`; `undefined` if none does, or if the lock cannot be read. */
export async function directoryHolder(directory: string): Promise<number | undefined> {
  const found = await read(join(directory, 'lock')).catch(() => undefined);
  return found !== undefined && isAlive(found) ? found.holder.pid : undefined;
}

interface Holder {
  pid: number;
  host: string;
  /** Process ids are reused; together with the start time of the process they are unique. */
  started: string;
  token: string;
}

interface LockFile {
  text: string;
  holder: Holder;
  ageMs: number;
}

const write = ({ pid, host, started, token }: Holder): string => [pid, host, started, token, ''].join('\n');

async function create(file: string, own: Holder): Promise<boolean> {
  try {
    await writeFile(file, write(own), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function read(file: string): Promise<LockFile | undefined> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(file, 'utf8'), stat(file)]);
    const [pid, host = '', started = '', token = ''] = text.split('\n');
    return { text, holder: { pid: Number(pid), host, started, token }, ageMs: Date.now() - mtimeMs };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** On this host, checks the process. For a holder on another host (a shared volume) only its heartbeat is visible. */
function isAlive({ holder, ageMs }: LockFile): boolean {
  if (holder.host === hostname() && holder.token !== '') return isRunning(holder.pid, holder.started);
  return ageMs < 3 * heartbeatMs;
}

/** Two processes may find the same dead holder. The one that has moved away a newer lock puts it back. */
async function putAside(file: string, judged: LockFile, own: Holder): Promise<void> {
  const aside = `${file}.${own.token}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  const moved = await readFile(aside, 'utf8');
  if (moved !== judged.text) await rename(aside, file);
  else await rm(aside);
}

function keep(file: string, own: Holder): DirectoryLock {
  const beat = () => {
    const now = new Date();
    utimes(file, now, now).catch(() => {}); // only another host reads it
  };
  const timer = setInterval(beat, heartbeatMs).unref();
  return {
    async release() {
      clearInterval(timer);
      if ((await read(file))?.holder.token === own.token) await rm(file, { force: true });
    },
  };
}

const heartbeatMs = 5_000;

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;
