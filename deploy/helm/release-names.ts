import { include, inline } from './marks.ts';

const nameLabel = 'app.kubernetes.io/name';
const partLabel = 'app.kubernetes.io/part-of';
const fullName = inline('include "tallyport.fullname" $');

/** The name of a resource of the chart: that of the release, then the name in the kustomize base. */
export const nameInRelease = (name: string): string => (name === 'tallyport' ? fullName : `${fullName}-${name}`);

/** Labels of a resource. Those of no single service have no component. */
export const labels = (component?: string): string => include('tallyport.labels', ...quoted(component));

/** Labels that select the pods of a service, or all pods of the release. */
export const selectorLabels = (component?: string): string => include('tallyport.selectorLabels', ...quoted(component));

const quoted = (word?: string): readonly string[] => (word === undefined ? [] : [`"${word}"`]);

/**
 * A part of a resource as it is in a release: it selects only pods of the release, and reaches services by their names
 * there. Labels of other pods, such as those of NATS, stay as they are.
 */
export function inRelease<T>(part: T, services: readonly string[]): T {
  return JSON.parse(JSON.stringify(part), (key, value) => {
    if (typeof value === 'string') return withAddress(value, services);
    if (key === 'podSelector' && Object.keys(value).length === 0) return { matchLabels: selectorLabels() };
    return isSelector(key, value) ? selectorOf(value, services) : value;
  });
}

const isSelector = (key: string, value: unknown): value is Readonly<Record<string, string>> =>
  (key === 'matchLabels' || key === 'selector') && typeof value === 'object' && value !== null;

function selectorOf(value: Readonly<Record<string, string>>, services: readonly string[]): unknown {
  const { [nameLabel]: name, [partLabel]: part } = value;
  if (part !== undefined) return selectorLabels();
  return name !== undefined && services.includes(name) ? selectorLabels(name) : value;
}

function withAddress(text: string, services: readonly string[]): string {
  const [, host = '', rest] = /^http:\/\/([a-z-]+)(:\d+)$/.exec(text) ?? [];
  return services.includes(host) ? `http://${nameInRelease(host)}${rest}` : text;
}
