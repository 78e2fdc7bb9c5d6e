import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { writableHomes } from './homes.mjs';
import { withLock } from './lock.mjs';
import { Problem } from './problem.mjs';
import { because, runQuietly } from './quiet.mjs';
import { root } from './root.mjs';
import { nodeProgram, ownNodeFits, pnpmProgram } from './toolchain.mjs';

const stampPath = join(root, 'node_modules/.switchyard');

/**
 * Installs missing parts and resolves with the path of the Node to run. With nothing to install, only reads a few small
 * files.
 */
export async function prepare() {
  if (dependenciesFit()) {
    const node = ownNodeFits() ? process.execPath : nodeProgram.installed();
    if (node) return node;
  }
  makeWritable();
  return withLock(join(root, '.cache/setup.lock'), async () => {
    const node = ownNodeFits() ? process.execPath : await nodeProgram.install();
    if (!dependenciesFit()) await installDependencies(await pnpmProgram.install());
    return node;
  });
}

function makeWritable() {
  try {
    mkdirSync(join(root, '.cache'), { recursive: true });
    rmdirSync(mkdtempSync(join(root, '.cache/try-')));
    rmdirSync(mkdtempSync(join(root, '.try-')));
  } catch (error) {
    throw new Problem(`Switchyard cannot write to its folder ${root} (${error.code}). Make it writable for this user.`);
  }
}

async function installDependencies(pnpm) {
  process.stderr.write('Installing dependencies (only when they changed) …\n');
  const installedFrom = fingerprint();
  // pnpm's list of what it left out. With it, pnpm would not add what an earlier Node could not run.
  rmSync(join(root, 'node_modules/.modules.yaml'), { force: true });
  const { code, output } = await runQuietly(pnpm, ['install', '--frozen-lockfile', '--reporter=append-only'], {
    cwd: root,
    // CI: pnpm asks no questions. NODE_ENV=production would leave out dependencies that `npm start` needs.
    env: { ...writableHomes(), CI: 'true', NODE_ENV: undefined },
  });
  if (code !== 0) throw new Problem(`Installing the dependencies failed${because(output)}.`);
  writeFileSync(stampPath, installedFrom);
}

/**
 * The stamp file names what node_modules was installed from: lock file, manifests, and pnpm's settings with the version of
 * Node; and the platform.
 */
function dependenciesFit() {
  try {
    return readFileSync(stampPath, 'utf8') === fingerprint();
  } catch {
    return false;
  }
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const path of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', ...manifests()]) {
    hash.update(readFileSync(join(root, path)));
  }
  return `${hash.digest('hex')} ${process.platform}-${process.arch}\n`;
}

function manifests() {
  return ['packages', 'services'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .map((name) => join(folder, name, 'package.json'))
      .filter((path) => existsSync(join(root, path))),
  );
}
