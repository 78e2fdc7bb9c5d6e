import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runToEnd } from '../support/run-to-end.ts';

const deadlineMs = 300_000;

export interface NpmProgram {
  name: string;
  /** Name on npm. */
  package: string;
  version: string;
  /** Name in `node_modules/.bin`. */
  program: string;
}

type InstallResult = { program: string } | { problem: string };

/** Installs the pinned version of a program into a separate folder, once. Returns the reason if it fails. */
export async function installProgram({ name, version, ...npm }: NpmProgram, cache: string): Promise<InstallResult> {
  const folder = join(cache, `${name}-${version}`);
  const program = join(folder, 'node_modules/.bin', npm.program);
  if (existsSync(program)) return { program };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const spec = `${npm.package}@${version}`;
  const flags = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  try {
    await runToEnd('npm', ['install', ...flags, spec], {
      cwd: folder,
      signal: AbortSignal.timeout(deadlineMs),
    });
  } catch (error) {
    return { problem: error instanceof Error ? error.message.trim() : String(error) };
  }
  return existsSync(program) ? { program } : { problem: `${spec} has no program ${npm.program}.` };
}
