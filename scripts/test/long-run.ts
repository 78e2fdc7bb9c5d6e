import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The last whole run of the long tests. docs/testing.md shows it, and later runs begin with what changed since. */
interface LongRun {
  date: string;
  commit: string;
  passed: number;
  failed: number;
  minutes: number;
}

const file = new URL('../../tests/last-long-run.json', import.meta.url);

export async function readLastLongRun(): Promise<LongRun> {
  return JSON.parse(await readFile(file, 'utf8'));
}

/** Notes a whole run, for the commit that follows. */
export async function recordLongRun({ passed, failed }: Pick<LongRun, 'passed' | 'failed'>, ms: number): Promise<void> {
  const { stdout } = await promisify(execFile)('git', ['rev-parse', '--short=10', 'HEAD']);
  const run: LongRun = {
    date: new Date().toISOString().slice(0, 10),
    commit: stdout.trim(),
    passed,
    failed,
    minutes: Math.round(ms / 60_000),
  };
  await writeFile(file, `${JSON.stringify(run, undefined, 2)}\n`);
  console.log('`npm run docs` writes this run into docs/testing.md.');
}
