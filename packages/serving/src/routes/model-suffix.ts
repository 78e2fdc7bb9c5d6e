import type { ModelIndex } from '@tallyport/dispatch';
import type { ProviderPreferences } from '@tallyport/wire';

const sortOf: ReadonlyMap<string, 'price' | 'throughput'> = new Map([
  [':floor', 'price'],
  [':nitro', 'throughput'],
]);

interface NamedModel {
  model: string;
  preferences?: ProviderPreferences | undefined;
}

interface SplitName {
  base: string;
  suffix: string;
}

/** The name before `:floor` or `:nitro`; `undefined` without one of them. */
export function splitSuffix(name: string): SplitName | undefined {
  const at = name.lastIndexOf(':');
  const suffix = at < 1 ? '' : name.slice(at);
  return sortOf.has(suffix) ? { base: name.slice(0, at), suffix } : undefined;
}

/** `gpt-6-luna:floor` is the cheapest offer of a model, `:nitro` the fastest. A model of the whole name comes first. */
export function readSuffix({ model, preferences }: NamedModel, index: ModelIndex): NamedModel {
  const at = model.lastIndexOf(':');
  const sort = at < 1 ? undefined : sortOf.get(model.slice(at));
  if (sort === undefined || index.find(model) !== undefined) return { model, preferences };
  return { model: model.slice(0, at), preferences: { ...preferences, sort } };
}
