import { posix } from 'node:path';
import { z } from 'zod';

const dependenciesSchema = z.record(z.string(), z.object({ version: z.string() })).default({});
const referencesSchema = z.record(z.string(), z.string()).default({});

export const lockFileSchema = z.object({
  importers: z.record(
    z.string(),
    z.object({ dependencies: dependenciesSchema, optionalDependencies: dependenciesSchema }),
  ),
  packages: z.record(
    z.string(),
    z.object({
      resolution: z.object({ integrity: z.string().optional() }),
      os: z.array(z.string()).optional(),
      cpu: z.array(z.string()).optional(),
      libc: z.array(z.string()).optional(),
    }),
  ),
  snapshots: z.record(
    z.string(),
    z.object({
      dependencies: referencesSchema,
      optionalDependencies: referencesSchema,
      optional: z.boolean().default(false),
    }),
  ),
});

export type LockFile = z.infer<typeof lockFileSchema>;

export interface LockedPackage {
  /** The key in the lock file, or the folder of a package of this workspace. */
  id: string;
  name: string;
  /** `undefined` for a package of this workspace. */
  version?: string;
  integrity?: string;
  optional: boolean;
  dependsOn: readonly string[];
}

/** The packages that an image contains: everything that a folder of the workspace needs to run on Linux with glibc. */
export function productionPackages(lock: LockFile, folder: string): readonly LockedPackage[] {
  const found = new Map<string, LockedPackage>();
  const waiting = [folder];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    const one = id in lock.importers ? workspacePackage(lock, id) : registryPackage(lock, id);
    found.set(id, one);
    waiting.push(...one.dependsOn);
  }
  return [...found.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function workspacePackage(lock: LockFile, folder: string): LockedPackage {
  const { dependencies = {}, optionalDependencies = {} } = lock.importers[folder] ?? {};
  const entries = Object.entries({ ...dependencies, ...optionalDependencies });
  const dependsOn = entries.map(([name, { version }]) =>
    version.startsWith('link:') ? posix.join(folder, version.slice('link:'.length)) : idOf(lock, name, version),
  );
  return {
    id: folder,
    name: `@tallyport/${posix.basename(folder)}`,
    optional: false,
    dependsOn: ofImages(lock, dependsOn),
  };
}

function registryPackage(lock: LockFile, id: string): LockedPackage {
  const snapshot = lock.snapshots[id];
  if (snapshot === undefined) throw new Error(`pnpm-lock.yaml has no package ${id}. Run \`pnpm install\`.`);
  const entries = Object.entries({ ...snapshot.dependencies, ...snapshot.optionalDependencies });
  const key = withoutPeers(id);
  const at = key.lastIndexOf('@');
  return {
    id,
    name: key.slice(0, at),
    version: key.slice(at + 1),
    integrity: lock.packages[key]?.resolution.integrity,
    optional: snapshot.optional,
    dependsOn: ofImages(
      lock,
      entries.map(([name, version]) => idOf(lock, name, version)),
    ),
  };
}

/** An alias (`npm:other@1`) has the name of the other package in its version. */
const idOf = (lock: LockFile, name: string, version: string): string =>
  version in lock.snapshots ? version : `${name}@${version}`;

const withoutPeers = (id: string): string => id.replace(/\(.*$/, '');

/** Without packages for other systems than those of the images. */
const ofImages = (lock: LockFile, ids: readonly string[]): readonly string[] =>
  ids.filter((id) => {
    const { os, cpu, libc } = lock.packages[withoutPeers(id)] ?? {};
    return allows(os, ['linux']) && allows(cpu, ['x64', 'arm64']) && allows(libc, ['glibc']);
  });

const allows = (listed: readonly string[] | undefined, ours: readonly string[]): boolean =>
  listed === undefined || ours.some((one) => listed.includes(one));
