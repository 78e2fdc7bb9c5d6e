import { createHash } from 'node:crypto';

interface Origin {
  version: string;
  commit: string;
  /** Who ran the release: the address of a job of continuous integration, or a note. */
  builder: string;
  startedOn: Date;
  images: readonly string[];
  /** Released files by name. */
  files: ReadonlyMap<string, string | Buffer>;
  /** Files of the commit that fix what a build uses, by path. */
  materials: ReadonlyMap<string, string>;
  /** Base images, by the argument of the Dockerfile. */
  bases: Readonly<Record<string, string>>;
}

/** How the released files were made, as an unsigned in-toto statement with SLSA's provenance. */
export function provenanceOf(origin: Origin): string {
  const { version, commit, builder, startedOn, images, files, materials, bases } = origin;
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [...files].map(([name, content]) => ({ name, digest: { sha256: sha256(content) } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'https://tallyport.dev/release/v1',
        externalParameters: { version, images },
        internalParameters: bases,
        resolvedDependencies: [
          { uri: `git+commit:${commit}`, digest: { gitCommit: commit } },
          ...[...materials].map(([name, content]) => ({ name, digest: { sha256: sha256(content) } })),
        ],
      },
      runDetails: { builder: { id: builder }, metadata: { startedOn: startedOn.toISOString() } },
    },
  };
  return `${JSON.stringify(statement, null, 2)}\n`;
}

const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
