import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** A file system in memory, which Linux has. */
const linuxMemory = '/dev/shm';
/** Several times what the tests of a run have on disk at a time. */
const neededBytes = 2 * 2 ** 30;
const ownFolder = /^tallyport-(\d+)-/;

/**
 * Creates a folder in memory for the temporary files of a run: tests create hundreds of databases, for whose files a
 * disk may take ten times the processor time. Returns `undefined` where memory has no room. The caller removes it; what
 * killed runs left is removed here.
 */
export async function createMemoryFolder(place = linuxMemory, bytes = neededBytes): Promise<string | undefined> {
  if ((await freeBytes(place)) < bytes) return undefined;
  await removeLeftovers(place);
  // Short, because the path of a socket may have a hundred characters.
  const folder = await mkdtemp(join(place, `tallyport-${process.pid}-`));
  // Postgres refuses to run as root, so it runs as another user, which needs access.
  await chmod(folder, 0o755);
  return folder;
}

async function freeBytes(place: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(place);
    return Math.min(bavail * bsize, process.availableMemory());
  } catch {
    return 0; // not Linux
  }
}

async function removeLeftovers(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    const pid = Number(ownFolder.exec(name)?.[1]);
    if (pid > 0 && !isRunning(pid)) await rm(join(place, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
