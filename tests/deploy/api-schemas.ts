import { z } from 'zod';
import type { Resource } from './rendered.ts';

/** The oldest and the newest supported version of Kubernetes, by the package with its schemas. */
export const kubernetesVersions = { '1.27': 'kubernetes-models-oldest', '1.36': 'kubernetes-models' } as const;

/** API groups that are not part of Kubernetes. */
const extensions: Readonly<Record<string, string>> = {
  'argoproj.io': '@kubernetes-models/argo-cd',
  'cert-manager.io': '@kubernetes-models/cert-manager',
  'external-secrets.io': '@kubernetes-models/external-secrets',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'helm.toolkit.fluxcd.io': '@kubernetes-models/flux-cd',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'source.toolkit.fluxcd.io': '@kubernetes-models/flux-cd',
};

/** Fields of any content, which no schema describes, by kind. */
const anyContent: Readonly<Record<string, string>> = { HelmRelease: '.spec.values.' };

type Model = { prototype: { validate(): void } };
const moduleSchema = z.record(
  z.string(),
  z.custom<Model>((value) => typeof value === 'function'),
);

/**
 * What the API server of a version would reject in a resource with `--validate=strict`: values that the schema does not
 * allow, and fields that it does not have.
 */
export async function problemsOf(
  resource: Resource,
  version: keyof typeof kubernetesVersions,
): Promise<readonly string[]> {
  const { apiVersion = '', kind } = resource;
  const [group = ''] = apiVersion.split('/');
  const path = `${extensions[group] ?? kubernetesVersions[version]}/${apiVersion}/${kind}`;
  const model = moduleSchema.parse({ [kind]: (await import(path))[kind] })[kind];
  const reading = recordReads(withoutLineBreaks(resource));
  try {
    model?.prototype.validate.call(reading.value);
  } catch (error) {
    return [String(error)];
  }
  const free = anyContent[kind];
  return reading.unread().flatMap((path) => (free && path.startsWith(free) ? [] : [`${path} is not a field`]));
}

/** The same for all of them, each with its resource. */
export async function allProblems(
  resources: readonly Resource[],
  version: keyof typeof kubernetesVersions,
): Promise<readonly string[]> {
  const found = resources.map(async (resource) =>
    (await problemsOf(resource, version)).map((problem) => `${resource.kind} ${resource.metadata.name}: ${problem}`),
  );
  return (await Promise.all(found)).flat();
}

/** kustomize breaks the lines of long base64 values, which Kubernetes accepts and the schema does not. */
function withoutLineBreaks(resource: Resource): Resource {
  if (resource.kind !== 'Secret') return resource;
  const entries = Object.entries(resource.data ?? {}).map(([name, value]) => [name, value.replaceAll('\n', '')]);
  return { ...resource, data: Object.fromEntries(entries) };
}

/**
 * The compiled schemas accept fields that they do not have, but never read them. The returned value records which of
 * its fields are read.
 */
function recordReads(value: object): { value: object; unread(): readonly string[] } {
  const unread = new Set<string>();
  const record = (target: object, path: string): object => {
    const keys = new Set(Object.keys(target));
    if (!Array.isArray(target)) for (const key of keys) unread.add(`${path}.${key}`);
    return new Proxy(target, {
      get(_, key) {
        const member: unknown = Reflect.get(target, key);
        if (typeof key !== 'string' || !keys.has(key)) return member;
        unread.delete(`${path}.${key}`);
        return typeof member === 'object' && member !== null ? record(member, `${path}.${key}`) : member;
      },
    });
  };
  return { value: record(value, ''), unread: () => [...unread] };
}
