import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Runs a function with a new home folder, and removes the folder afterwards. */
export async function withHome<Result>(use: (home: string) => Promise<Result>): Promise<Result> {
  const home = await mkdtemp(join(tmpdir(), 'tallyport-agent-'));
  try {
    return await use(home);
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The working folder of an agent. */
export const workspaceOf = (home: string): string => join(home, 'workspace');

/** Writes files, given by their path below the folder, and creates the folder. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}
