import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type DatabaseEvent, openDatabase } from '../index.ts';
import { preparedDirectory } from '../testing/index.ts';

/** Opens the directory, writes an account, prints a line and keeps running. */
const holder = `
  const { openDatabase } = await import(process.argv[1]);
  const database = await openDatabase({ directory: process.argv[2] });
  await database.migrate();
  await database.kysely.insertInto('accounts').values({ id: 'kept', name: 'Kept' }).execute();
  console.log('written');
  setInterval(() => {}, 1000);
`;

describe('the data directory', () => {
  const leftovers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const remove of leftovers.splice(0).toReversed()) await remove();
  });

  const kept = (directory: string): string => {
    leftovers.push(() => rm(directory, { recursive: true, force: true }));
    return directory;
  };

  const startHolder = async (directory: string): Promise<ChildProcess> => {
    const index = new URL('../index.ts', import.meta.url).href;
    const child = spawn(process.execPath, ['--input-type=module', '-e', holder, index, directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    leftovers.push(async () => child.kill('SIGKILL'));
    await once(child.stdout!, 'data');
    return child;
  };

  it('is refused while another process holds it, and is intact after that process was killed', async () => {
    const directory = kept(await preparedDirectory());
    const child = await startHolder(directory);
    await expect(openDatabase({ directory })).rejects.toMatchObject({
      name: 'DirectoryInUseError',
      message: expect.stringContaining(`${directory} is in use by process ${child.pid}`),
    });
    child.kill('SIGKILL');
    await once(child, 'exit');
    const database = await openDatabase({ directory });
    leftovers.push(() => database.close());
    await database.migrate();
    expect(await database.kysely.selectFrom('accounts').select('name').execute()).toEqual([{ name: 'Kept' }]);
  });

  it('is refused if it is a file', async () => {
    const directory = join(kept(await mkdtemp(join(tmpdir(), 'tallyport-file-'))), 'data');
    await writeFile(directory, '');
    await expect(openDatabase({ directory })).rejects.toMatchObject({
      name: 'DirectoryUnusableError',
      message: `DATA_DIR: ${directory} cannot be used, because a part of the path is a file. Set it to a folder that this user may write.`,
    });
  });

  it('is created at the first start, also after an interrupted one, and readable by its owner only', async () => {
    const parent = kept(await mkdtemp(join(tmpdir(), 'tallyport-first-')));
    const directory = join(parent, 'not', 'there', 'yet');
    await mkdir(join(directory, 'postgres.new'), { recursive: true, mode: 0o700 });
    await writeFile(join(directory, 'postgres.new', 'PG_VERSION'), 'half');
    const events: DatabaseEvent[] = [];
    const database = await openDatabase({ directory, log: (event) => events.push(event) });
    expect(await database.check(5_000)).toEqual({ connected: true });
    expect((await readdir(directory)).toSorted()).toEqual(['lock', 'postgres']);
    expect((await stat(join(directory, 'postgres'))).mode & 0o077).toBe(0);
    await database.close();
    expect(await readdir(directory)).toEqual(['postgres']);
    expect(events).toEqual([{ kind: 'initialising', directory }]);
  });

  it('is released when its files cannot be opened', async () => {
    const directory = kept(await mkdtemp(join(tmpdir(), 'tallyport-damaged-')));
    await mkdir(join(directory, 'postgres'));
    await writeFile(join(directory, 'postgres', 'PG_VERSION'), '9\n');
    const events: DatabaseEvent[] = [];
    const opened = openDatabase({ directory, log: (event) => events.push(event) });
    await expect(opened).rejects.toThrow(`The embedded database in ${directory} cannot be opened`);
    expect(await readdir(directory)).toEqual(['postgres']);
    expect(events).toEqual([]);
  });

  it.runIf(process.getuid?.() !== 0)('is named in the error when it is not writable', async () => {
    await expect(openDatabase({ directory: '/proc/tallyport' })).rejects.toThrow('/proc/tallyport');
  });
});
