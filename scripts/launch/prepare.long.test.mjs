import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { root } from './root.mjs';

// Long: it installs packages.
// About: scripts/launch.

const run = promisify(execFile);
let checkout;
let oldNode;

// In the checkout, so that pnpm links the packages of its store instead of downloading them.
beforeAll(() => {
  mkdirSync(join(root, '.cache'), { recursive: true });
  checkout = mkdtempSync(join(root, '.cache/prepare-'));
  const files = [
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    ...globSync('{.,packages/*,services/*}/package.json', { cwd: root }),
  ];
  for (const path of [...files, 'scripts/launch']) cpSync(join(root, path), join(checkout, path), { recursive: true });
  mkdirSync(join(checkout, 'tools'));
  symlinkSync(join(root, 'tools/toolchain'), join(checkout, 'tools/toolchain'));
  oldNode = join(checkout, 'old/node');
  mkdirSync(dirname(oldNode));
  writeFileSync(oldNode, '#!/bin/sh\necho v18.20.8\n');
  chmodSync(oldNode, 0o755);
  return () => rmSync(checkout, { recursive: true, force: true });
});

/** Prepares the copy for `npm start` with an old Node first in the PATH. */
async function prepareBehindOldNode() {
  const program = "await (await import('./scripts/launch/prepare.mjs')).prepare('production')";
  const PATH = [dirname(oldNode), process.env.PATH].join(delimiter);
  const options = { cwd: checkout, env: { ...process.env, PATH } };
  await run(process.execPath, ['--input-type=module', '-e', program], options);
}

const loadImages = () =>
  run(process.execPath, ['--input-type=module', '-e', "await import('sharp')"], {
    cwd: join(checkout, 'packages/pixels'),
  });

test('packages are installed for our Node, also in a checkout that an older one has set up', async () => {
  const settings = join(checkout, 'pnpm-workspace.yaml');
  const text = readFileSync(settings, 'utf8');
  writeFileSync(settings, text.replace(/^nodeVersion:.*$/m, ''));
  await prepareBehindOldNode();
  await expect(loadImages()).rejects.toThrow('Could not load the "sharp" module');

  writeFileSync(settings, text);
  await prepareBehindOldNode();
  await loadImages();
});
