import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { directoryHolder, DirectoryInUseError, lockDirectory } from './directory-lock.ts';
import { startOfProcess } from './process-identity.ts';

describe('the lock of a data directory', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tallyport-lock-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const events: unknown[] = [];
  const lock = () => lockDirectory(directory, (event) => events.push(event));
  const leave = (...lines: string[]) => writeFile(join(directory, 'lock'), [...lines, ''].join('\n'));
  const runs = String(process.ppid);

  it('can be taken again after its release, which leaves nothing behind', async () => {
    await (await lock()).release();
    await (await lock()).release();
    expect(await readdir(directory)).toEqual([]);
  });

  it('refuses a second holder at once, naming the directory and the process', async () => {
    const first = await lock();
    const refusal = await lock().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DirectoryInUseError);
    expect(refusal).toMatchObject({
      directory,
      pid: process.pid,
      message: `The data directory ${directory} is in use by process ${process.pid}: stop that Tallyport, or set DATA_DIR to another directory.`,
    });
    await first.release();
  });

  it('names its holder while that runs', async () => {
    expect(await directoryHolder(directory)).toBeUndefined();
    const held = await lock();
    expect(await directoryHolder(directory)).toBe(process.pid);
    await held.release();
    expect(await directoryHolder(directory)).toBeUndefined();
    await leave(runs, hostname(), '1', 'token of a process that has ended');
    expect(await directoryHolder(directory)).toBe(process.platform === 'linux' ? undefined : process.ppid);
    await rm(directory, { recursive: true });
    await writeFile(directory, '');
    expect(await directoryHolder(directory)).toBeUndefined();
  });

  it('is granted to exactly one of many', async () => {
    const results = await Promise.allSettled(Array.from({ length: 20 }, lock));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  it('is refused while another running process holds it', async () => {
    await leave(runs, hostname(), startOfProcess(process.ppid), 'token');
    await expect(lock()).rejects.toMatchObject({ pid: process.ppid });
  });

  it('is taken over from a dead process, and reported', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    await leave(String(child.pid), hostname(), '1', 'token');
    events.length = 0;
    await (await lock()).release();
    expect(events).toEqual([{ kind: 'lock_taken_over', directory, pid: child.pid }]);
    expect(await readdir(directory)).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'is taken over when the process id now belongs to another process',
    async () => {
      await leave(runs, hostname(), '1', 'token');
      await (await lock()).release();
    },
  );

  it('judges a holder on another host by its heartbeat', async () => {
    await leave('1', 'elsewhere', '', 'token');
    await expect(lock()).rejects.toMatchObject({ pid: 1 });
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(join(directory, 'lock'), longAgo, longAgo);
    await (await lock()).release();
  });

  it.each(['', 'nonsense', '\0\0\0\0'])(
    'takes over a lock that is damaged (%j), but not one being written',
    async (text) => {
      await leave(text);
      await expect(lock()).rejects.toBeInstanceOf(DirectoryInUseError);
      const longAgo = new Date(Date.now() - 60_000);
      await utimes(join(directory, 'lock'), longAgo, longAgo);
      await (await lock()).release();
    },
  );

  it('does not remove the lock of a successor', async () => {
    const first = await lock();
    await leave(runs, hostname(), startOfProcess(process.ppid), 'successor');
    await first.release();
    expect(await readFile(join(directory, 'lock'), 'utf8')).toContain('successor');
  });
});
