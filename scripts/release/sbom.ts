import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import type { LockedPackage } from './lock-file.ts';

interface Contents {
  image: string;
  /** Its folder in the workspace. */
  folder: string;
  version: string;
  /** The version of Node that the image runs. */
  node: string;
  packages: readonly LockedPackage[];
  created: Date;
}

/** The bill of materials of an image: CycloneDX 1.6 as JSON, the same text for the same contents. */
export function sbomOf({ image, folder, version, node, packages, created }: Contents): string {
  const product = new Models.Component(Enums.ComponentType.Container, `tallyport/${image}`, {
    version,
    bomRef: `tallyport/${image}@${version}`,
  });
  const components = new Map(packages.map((one) => [one.id, componentOf(one, version)]));
  for (const { id, dependsOn } of packages)
    for (const dependency of dependsOn) link(components.get(id), components.get(dependency));
  const runtime = new Models.Component(Enums.ComponentType.Platform, 'node', {
    version: node,
    bomRef: `node@${node}`,
    purl: `pkg:generic/node@${node}`,
  });
  link(product, components.get(folder));
  link(product, runtime);
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component: product, timestamp: created }),
    components: new Models.ComponentRepository([...components.values(), runtime]),
  });
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

function componentOf({ id, name, version, integrity, optional }: LockedPackage, own: string): Models.Component {
  const [group, base] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const isOurs = version === undefined;
  return new Models.Component(Enums.ComponentType.Library, base ?? name, {
    group,
    version: version ?? own,
    bomRef: id,
    scope: optional ? Enums.ComponentScope.Optional : Enums.ComponentScope.Required,
    ...(!isOurs && { purl: `pkg:npm/${name.replace('@', '%40')}@${version}` }),
    ...(integrity && { hashes: new Models.HashDictionary([[Enums.HashAlgorithm['SHA-512'], hexOf(integrity)]]) }),
  });
}

function link(from: Models.Component | undefined, to: Models.Component | undefined): void {
  if (from && to) from.dependencies.add(to.bomRef);
}

const hexOf = (integrity: string): string => Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
