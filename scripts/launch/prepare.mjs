import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { writableHomes } from './homes.mjs';
import { withLock } from './lock.mjs';
import { Problem } from './problem.mjs';
import { createProgress } from './progress.mjs';
import { because, runQuietly } from './quiet.mjs';
import { root } from './root.mjs';
import { dependenciesFit, scopeToInstall, stampOf, writeStamp } from './stamp.mjs';
import { nodeProgram, ownNodeFits, pnpmProgram } from './toolchain.mjs';

/**
 * Installs missing parts and resolves with the path of the Node to run. `scope` selects the dependencies: `production`
 * or `all`. With nothing to install, only reads a few small files.
 */
export async function prepare(scope) {
  const node = ownNodeFits() ? process.execPath : nodeProgram.installed();
  if (node && dependenciesFit(root, scope)) return node;
  makeWritable();
  return withLock(join(root, '.cache/setup.lock'), () => install(scope));
}

/** Node and the dependencies are downloaded at the same time: pnpm runs without Node. */
async function install(scope) {
  const progress = createProgress(process.stderr);
  const steps = await Promise.allSettled([
    ownNodeFits() ? process.execPath : nodeProgram.install(progress),
    dependenciesFit(root, scope) || installDependencies(scope, progress),
  ]);
  const failed = steps.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
  return steps[0].value;
}

function makeWritable() {
  try {
    mkdirSync(join(root, '.cache'), { recursive: true });
    rmdirSync(mkdtempSync(join(root, '.cache/try-')));
    rmdirSync(mkdtempSync(join(root, '.try-')));
  } catch (error) {
    throw new Problem(`Tallyport cannot write to its folder ${root} (${error.code}). Make it writable for this user.`);
  }
}

async function installDependencies(scope, progress) {
  const pnpm = await pnpmProgram.install(progress);
  const wanted = scopeToInstall(root, scope);
  const stamp = stampOf(root, wanted);
  // pnpm's list of what it left out. With it, pnpm would not add what an earlier Node could not run.
  rmSync(join(root, 'node_modules/.modules.yaml'), { force: true });
  const args = ['install', '--frozen-lockfile', '--reporter=append-only', ...(wanted === 'all' ? [] : ['--prod'])];
  // CI: pnpm asks no questions. NODE_ENV=production would leave out the development dependencies.
  const options = { cwd: root, env: { ...writableHomes(), CI: 'true', NODE_ENV: undefined } };
  const { code, output } = await progress.during('dependencies', () => runQuietly(pnpm, args, options));
  if (code !== 0) throw new Problem(`Installing the dependencies failed${because(output)}.`);
  writeStamp(root, stamp);
}
