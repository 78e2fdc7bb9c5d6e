import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { root } from './sources.ts';

/** Not the line between both sides, because headings in Markdown may look like it. */
const marker = '^(<{7}|>{7}|\\|{7})( |$)';

test('no tracked text file has a conflict marker', () => {
  const found = spawnSync('git', ['grep', '--line-number', '-I', '-E', marker], { cwd: root, encoding: 'utf8' });
  // Git's status for no match.
  expect(found).toMatchObject({ stdout: '', stderr: '', status: 1 });
});
