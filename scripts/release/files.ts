import { sectionOf } from './changelog.ts';
import { productionPackages } from './lock-file.ts';
import { thirdPartyNotices } from './notices.ts';
import { provenanceOf } from './provenance.ts';
import { baseImages, type Commit, folderOf, imageNames, nodeVersion, read, readLockFile } from './repository.ts';
import { sbomOf } from './sbom.ts';

interface Release {
  version: string;
  /** The section of the changelog with its changes. */
  section: string;
  builder: string;
  startedOn: Date;
  commit: Commit;
}

const materials = [
  'Dockerfile',
  'pnpm-lock.yaml',
  'tools/toolchain/node/package-lock.json',
  'tools/toolchain/pnpm/package-lock.json',
];

/** The files of a release by name. */
export function releaseFiles({
  version,
  section,
  builder,
  startedOn,
  commit,
}: Release): ReadonlyMap<string, string | Buffer> {
  const files = new Map<string, string | Buffer>([
    [`tallyport-${version}.tar.gz`, commit.archive],
    [`notes-${version}.md`, `${sectionOf(read('CHANGELOG.md'), section)}\n`],
    ['THIRD-PARTY-NOTICES.txt', thirdPartyNotices()],
    ...sboms(version, commit.createdAt),
  ]);
  const provenance = provenanceOf({
    version,
    commit: commit.id,
    builder,
    startedOn,
    images: imageNames(),
    files,
    materials: new Map(materials.map((path) => [path, read(path)])),
    bases: baseImages(),
  });
  return files.set('provenance.json', provenance);
}

function sboms(version: string, created: Date): readonly (readonly [string, string])[] {
  const [lock, node] = [readLockFile(), nodeVersion()];
  return imageNames().map((image) => {
    const packages = productionPackages(lock, folderOf(image));
    return [`sbom-${image}.cdx.json`, sbomOf({ image, folder: folderOf(image), version, node, packages, created })];
  });
}
