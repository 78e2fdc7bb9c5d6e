import { globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { noticesOf } from '../../deploy/image/notices.mjs';
import { withLock } from '../launch/lock.mjs';
import { createProgress } from '../launch/progress.mjs';
import { nodeProgram } from '../launch/toolchain.mjs';
import { productionPackages } from './lock-file.ts';
import { folderOf, imageNames, pathOf, readLockFile } from './repository.ts';

interface ForeignPackage {
  name: string;
  version: string;
  /** `undefined` if it is not installed here, because it is for another processor. */
  folder: string | undefined;
}

/** The packages of others in all images. */
export function foreignPackages(): readonly ForeignPackage[] {
  const lock = readLockFile();
  const all = imageNames().flatMap((image) => productionPackages(lock, folderOf(image)));
  const versions = new Map(all.flatMap(({ name, version }) => (version ? [[`${name}@${version}`, name]] : [])));
  return [...versions].toSorted().map(([id, name]) => ({
    name,
    version: id.slice(name.length + 1),
    folder: installedFolder(id, name),
  }));
}

/** pnpm adds the versions of peers to the name of a folder. */
function installedFolder(id: string, name: string): string | undefined {
  const place = id.replace('/', '+');
  const [found] = globSync(`node_modules/.pnpm/{${place},${place}_*}/node_modules/${name}`, { cwd: pathOf('.') });
  return found && pathOf(found);
}

const nodeHome = pathOf('tools/toolchain/node');
const nodePackage = (): string | undefined => globSync('node_modules/node-*', { cwd: nodeHome })[0];

/** Images have the pinned Node. Where the machine's own Node runs the project, it is not installed. */
export async function installNode(): Promise<void> {
  if (nodePackage() !== undefined) return;
  mkdirSync(pathOf('.cache'), { recursive: true });
  await withLock(pathOf('.cache/setup.lock'), () => nodeProgram.install(createProgress(process.stderr)));
}

/** The notices of Node and of all packages of others in the images. */
export function thirdPartyNotices(): string {
  const packages = foreignPackages();
  const node = nodePackage();
  if (node === undefined) throw new Error('The Node of the images is not installed, so its licence cannot be read.');
  const notices = noticesOf([join(nodeHome, node), ...packages.flatMap(({ folder }) => folder ?? [])]);
  const elsewhere = packages.flatMap(({ name, version, folder }) => (folder ? [] : `${name} ${version}`));
  return `${notices}\nPackages for other processors, whose notices are in the images for these:\n${elsewhere.join('\n')}\n`;
}
