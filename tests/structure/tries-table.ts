import { runToEnd } from '../support/run-to-end.ts';
import { hostileTests } from './hostile-tests.ts';
import { markdownTable } from './markdown-table.ts';
import { root } from './sources.ts';

/** What is attacked, with the number of tries and the folders of the tests. An entry without a test is an error. */
export async function triesTable(): Promise<string> {
  const printed = await runToEnd(process.execPath, ['tests/structure/count-tries.ts'], { cwd: root });
  const counts = JSON.parse(printed) as Record<string, number>;
  const rows = Object.entries(hostileTests).map(([area, tests]) => [
    area,
    String(roundedDown(counts[area] ?? 0)),
    foldersOf(tests.map(({ file }) => file)),
  ]);
  return markdownTable([['what is attacked', 'tries, at least', 'tests'], ...rows]);
}

/** Rounded, so that the table stays true when a test is added. */
function roundedDown(count: number): number {
  const step = count < 20 ? 1 : count < 200 ? 10 : count < 1_000 ? 50 : 100;
  return Math.floor(count / step) * step;
}

const foldersOf = (files: readonly string[]): string =>
  [...new Set(files.map((file) => `\`${file.split('/').slice(0, -1).join('/')}\``))].join(', ');
