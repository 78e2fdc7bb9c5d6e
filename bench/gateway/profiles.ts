import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Pids } from '../measure/cpu.ts';

export function newProfileFolder(): string {
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-');
  return fileURLToPath(new URL(`../results/profile-${time}`, import.meta.url));
}

/** Renames the profiles, which Node names by process id, to the names of the services. */
export async function nameProfiles(folder: string, pids: Pids): Promise<void> {
  for (const file of await readdir(folder)) {
    const pid = Number(file.split('.')[3]);
    const service = Object.entries(pids).find(([, own]) => own === pid)?.[0];
    if (service !== undefined) await rename(join(folder, file), join(folder, `${service}.cpuprofile`));
  }
  console.error(`profiles: ${folder}`);
}
