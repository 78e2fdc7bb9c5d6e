import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { released, sectionOf, upgradeNotes } from './changelog.ts';
import { releaseFiles } from './files.ts';
import { lockFileSchema, productionPackages } from './lock-file.ts';
import { installNode } from './notices.ts';
import { currentVersion, folderOf, imageNames, pathOf, read, readLockFile, versionedFiles } from './repository.ts';
import { nextVersion, versionsIn, withVersion } from './version.ts';

await installNode();

const files = releaseFiles({
  version: '9.9.9',
  section: 'Unreleased',
  builder: 'this test',
  startedOn: new Date(0),
  commit: { id: '0123456789012345678901234567890123456789', createdAt: new Date(0), archive: Buffer.from('files') },
});
const sbomSchema = z.object({
  components: z.array(
    z.object({
      name: z.string(),
      group: z.string().optional(),
      version: z.string(),
      purl: z.string().optional(),
      scope: z.string().optional(),
      hashes: z.array(z.object({ alg: z.string(), content: z.string() })).optional(),
    }),
  ),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()).optional() })),
});

const sbomFor = (image: string) => sbomSchema.parse(JSON.parse(String(files.get(`sbom-${image}.cdx.json`))));

/** Shared, because it compiles the schema once. */
const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);

describe.each(imageNames())('the bill of materials of %s', (image) => {
  test('follows the schema of CycloneDX', async () => {
    expect(await validator.validate(String(files.get(`sbom-${image}.cdx.json`)))).toBeNull();
  });

  test('lists every package that Node finds in the folders of the image, and no other', () => {
    const { components } = sbomFor(image);
    const listed = components.filter(({ purl }) => purl?.startsWith('pkg:npm/'));
    const names = listed.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`);
    const installed = installedBelow(folderOf(image));
    expect([...installed].filter((name) => !names.includes(name))).toEqual([]);
    // Optional packages are for one system each, and this machine installs those for itself.
    const required = listed.flatMap(({ scope }, index) => (scope === 'optional' ? [] : [names[index]]));
    expect(required.filter((name) => !installed.has(name ?? ''))).toEqual([]);
  });

  test('has a checksum for every package, and no link to a missing one', () => {
    const { components, dependencies } = sbomFor(image);
    const foreign = components.filter(({ purl }) => purl?.startsWith('pkg:npm/'));
    expect(foreign.filter(({ hashes }) => !/^[0-9a-f]{128}$/.test(hashes?.[0]?.content ?? ''))).toEqual([]);
    const refs = new Set(dependencies.map(({ ref }) => ref));
    expect(dependencies.flatMap(({ dependsOn = [] }) => dependsOn.filter((ref) => !refs.has(ref)))).toEqual([]);
  });
});

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  dependencies: z.record(z.string(), z.string()).default({}),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
  peerDependencies: z.record(z.string(), z.string()).default({}),
  peerDependenciesMeta: z.record(z.string(), z.unknown()).default({}),
});

/** The packages of others that Node would find from a folder of the workspace, without reading the lock file. */
function installedBelow(folder: string): ReadonlySet<string> {
  const found = new Map<string, string>();
  const waiting = [pathOf(folder)];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')));
    found.set(path, manifest.name.startsWith('@tallyport/') ? '' : `${manifest.name}@${manifest.version}`);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest;
    const wanted = { ...dependencies, ...optionalDependencies, ...peerDependencies, ...peerDependenciesMeta };
    waiting.push(...Object.keys(wanted).flatMap((name) => resolve(path, name) ?? []));
  }
  return new Set([...found.values()].filter(Boolean));
}

/** The folder of a package that a package needs: its own, or beside it in the folder that pnpm made for both. */
function resolve(from: string, name: string): string | undefined {
  const beside = from.includes('/node_modules/') ? from.slice(0, from.lastIndexOf('/node_modules/')) : from;
  const path = join(beside, 'node_modules', name);
  return existsSync(path) ? realpathSync(path) : undefined;
}

describe('production packages', () => {
  const resolution = { integrity: 'sha512-AA==' };
  const lock = lockFileSchema.parse({
    importers: {
      'services/one': {
        dependencies: {
          '@tallyport/two': { version: 'link:../../packages/two' },
          alias: { version: 'real@1.0.0' },
        },
        optionalDependencies: { mac: { version: '1.0.0' }, musl: { version: '1.0.0' }, linux: { version: '1.0.0' } },
        devDependencies: { tests: { version: '1.0.0' } },
      },
      'packages/two': { dependencies: { deep: { version: '1.0.0(peer@2.0.0)' } } },
    },
    packages: {
      'deep@1.0.0': { resolution },
      'linux@1.0.0': { resolution, os: ['linux'], cpu: ['arm64'], libc: ['glibc'] },
      'mac@1.0.0': { resolution, os: ['darwin'] },
      'musl@1.0.0': { resolution, os: ['linux'], libc: ['musl'] },
      'peer@2.0.0': { resolution },
      'real@1.0.0': { resolution },
    },
    snapshots: {
      'deep@1.0.0(peer@2.0.0)': { dependencies: { peer: '2.0.0' } },
      'linux@1.0.0': { optional: true },
      'mac@1.0.0': { optional: true },
      'musl@1.0.0': { optional: true },
      'peer@2.0.0': {},
      'real@1.0.0': {},
    },
  });

  test('are those of the folder and of our packages it needs, for the systems of the images', () => {
    const found = productionPackages(lock, 'services/one');
    expect(found.map(({ name, version }) => `${name}@${version ?? 'ours'}`)).toEqual([
      'deep@1.0.0',
      'linux@1.0.0',
      '@tallyport/two@ours',
      'peer@2.0.0',
      'real@1.0.0',
      '@tallyport/one@ours',
    ]);
  });

  test('cannot be listed if the lock file misses one', () => {
    const { 'peer@2.0.0': _missing, ...snapshots } = lock.snapshots;
    expect(() => productionPackages({ ...lock, snapshots }, 'services/one')).toThrow('has no package peer@2.0.0');
  });

  test('are the ones of this repository: a removed line is noticed', () => {
    const whole = readLockFile();
    // No package of this workspace needs it as well.
    const own = 'compression';
    const names = productionPackages(whole, 'services/edge').map(({ name }) => name);
    expect(names).toContain(own);
    const { [own]: _removed, ...dependencies } = whole.importers['services/edge']?.dependencies ?? {};
    const importers = { ...whole.importers, 'services/edge': { dependencies, optionalDependencies: {} } };
    expect(productionPackages({ ...whole, importers }, 'services/edge').map(({ name }) => name)).not.toContain(own);
  });
});

const changelog = `# Changelog

## Unreleased

### Before you upgrade

- Set it.

### Added

- It.

## 0.1.0 (2026-11-21)

- First.
`;

describe('the changelog', () => {
  test('has a section for each release', () => {
    expect(sectionOf(changelog, '0.1.0')).toBe('- First.');
    expect(upgradeNotes(sectionOf(changelog, 'Unreleased'))).toBe('- Set it.');
    expect(upgradeNotes('### Added\n\n- It.')).toBe('');
    expect(() => sectionOf(changelog, '0.2.0')).toThrow('CHANGELOG.md has no section "0.2.0"');
  });

  test('keeps an empty section for the next changes', () => {
    const after = released(changelog, '0.2.0', '2026-12-01');
    expect(sectionOf(after, 'Unreleased')).toBe('');
    expect(sectionOf(after, '0.2.0')).toBe(sectionOf(changelog, 'Unreleased'));
  });
});

describe('the version', () => {
  test.each([
    ['### Before you upgrade\n\n- Set it.', '0.2.0'],
    ['### Added\n\n- It.', '0.2.0'],
    ['### New settings\n\n- It.', '0.2.0'],
    ['### Changed\n\n- It.', '0.1.3'],
  ])('after 0.1.2 with "%s" is %s', (section, expected) => {
    expect(nextVersion('0.1.2', section)).toBe(expected);
  });

  test('is the same in all files', () => {
    const named = versionedFiles().flatMap((path) => versionsIn(path, read(path)));
    expect(new Set(named)).toEqual(new Set([currentVersion()]));
    expect(named.length).toBeGreaterThan(25);
  });

  test('can be set in each of them', () => {
    for (const path of versionedFiles()) {
      const text = withVersion(path, read(path), '9.9.9');
      expect(new Set(versionsIn(path, text))).toEqual(new Set(['9.9.9']));
      expect(text.replaceAll('9.9.9', currentVersion())).toBe(read(path));
    }
  });
});

test('the provenance names the commit, what it was built from, and every file', () => {
  const { subject, predicate } = JSON.parse(String(files.get('provenance.json')));
  expect(subject.map(({ name }: { name: string }) => name)).toEqual(
    [...files.keys()].filter((name) => name !== 'provenance.json'),
  );
  expect(predicate).toMatchObject({
    buildDefinition: {
      externalParameters: { version: '9.9.9', images: imageNames() },
      internalParameters: { BUILD_IMAGE: expect.any(String), RUN_IMAGE: expect.any(String) },
      resolvedDependencies: [
        { digest: { gitCommit: '0123456789012345678901234567890123456789' } },
        { name: 'Dockerfile' },
        { name: 'pnpm-lock.yaml', digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
        { name: 'tools/toolchain/node/package-lock.json' },
        { name: 'tools/toolchain/pnpm/package-lock.json' },
      ],
    },
    runDetails: { builder: { id: 'this test' } },
  });
});
