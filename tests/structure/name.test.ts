import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './sources.ts';

/** Written in two parts, because this file is searched as well. */
const formerName = new RegExp(['switch', 'yard'].join(''), 'i');

const exclude = ['**/node_modules', '.git', '.cache', 'data', 'tools/toolchain/*/node_modules'];
const hidden = '{.ci,.github}/**/*';
const paths = globSync(['**/*', '.*', hidden], { cwd: root, exclude }).filter((path) =>
  statSync(join(root, path)).isFile(),
);

test('the former name of the product occurs nowhere but in one line of the changelog', () => {
  const lines = paths.flatMap((path) =>
    readFileSync(join(root, path), 'latin1')
      .split('\n')
      .flatMap((line) => (formerName.test(line) ? [path] : [])),
  );
  expect([...paths.filter((path) => formerName.test(path)), ...lines]).toEqual(['CHANGELOG.md']);
  expect(paths.length).toBeGreaterThan(3_000);
});
