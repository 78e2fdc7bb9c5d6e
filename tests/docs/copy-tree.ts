import { cp, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const leftOut = /^(\.git|\.cache|data|coverage|bench\/results|tools)$|(^|\/)node_modules\/\./;

/** The whole tree in a folder of its own, whose workspace packages find each other there and all others where they are. */
export async function copyTree(root: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'switchyard-tree-'));
  await cp(root, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !leftOut.test(relative(root, path)),
  });
  await symlink(join(root, 'node_modules/.pnpm'), join(copy, 'node_modules/.pnpm'));
  return copy;
}
