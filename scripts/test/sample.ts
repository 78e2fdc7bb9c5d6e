import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The number of the sample that tests take at this commit. The next commit has another one. */
export async function sampleOfCommit(): Promise<number> {
  try {
    const { stdout } = await promisify(execFile)('git', ['rev-parse', 'HEAD'], { timeout: 10_000 });
    return Number.parseInt(stdout.slice(0, 6), 16) || 0;
  } catch {
    return 0; // a tree without its history
  }
}

/** Sums up the lines that tests wrote about what they left out: one line per kind. */
export async function leftOut(file: string): Promise<string[]> {
  const kinds = new Map<string, { left: number; all: number }>();
  const text = await readFile(file, 'utf8').catch(() => '');
  for (const line of text.split('\n').filter(Boolean)) {
    const { of, left, all }: { of: string; left: number; all: number } = JSON.parse(line);
    const sum = kinds.get(of) ?? { left: 0, all: 0 };
    kinds.set(of, { left: sum.left + left, all: sum.all + all });
  }
  return [...kinds].map(([of, { left, all }]) => `${left} of ${all} ${of}`).toSorted();
}
