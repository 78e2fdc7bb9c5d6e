import type { Resource } from './rendered.ts';

const [name, instance, component] = ['name', 'instance', 'component'].map((each) => `app.kubernetes.io/${each}`) as [
  string,
  string,
  string,
];

/**
 * The resources of a release named `tallyport`, with the names and selectors that they have in the kustomize base. There
 * a service has its name only, and a selector of all pods of the namespace is empty.
 */
export function withBaseNames(resources: readonly Resource[]): readonly Resource[] {
  const text = JSON.stringify(resources)
    .replaceAll(/"tallyport-(?!state|nats"|internal|providers)([a-z-]+)"/g, '"$1"')
    .replaceAll('http://tallyport-', 'http://');
  return JSON.parse(text, (key, value) => {
    if (key === 'podTargetLabels') return undefined;
    if (value === component) return name;
    if (key === 'podSelector') return withoutRelease(value);
    return typeof value === 'object' && value !== null && instance in value ? labelsInBase(value) : value;
  });
}

const part = { 'app.kubernetes.io/part-of': 'tallyport' };

function labelsInBase({ [component]: service, ...labels }: Readonly<Record<string, string>>): object {
  const own = service !== undefined && { [name]: service };
  return 'helm.sh/chart' in labels ? { ...own, ...part } : own || part;
}

function withoutRelease({ matchLabels, ...selector }: Readonly<Record<string, unknown>>): object {
  const isRelease = JSON.stringify(matchLabels) === JSON.stringify(part);
  return isRelease || matchLabels === undefined ? selector : { matchLabels, ...selector };
}
