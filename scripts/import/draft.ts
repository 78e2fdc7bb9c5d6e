import type { Route } from '@tallyport/contracts';
import type { ModelChange, ProviderChange } from '../../services/catalog-svc/src/layers/layer.ts';
import { gatherLeftOvers, type LeftOvers, type Path } from './left-over.ts';
import type { KnownModels } from './known-models.ts';
import type { KeyEntry, ProjectEntry, SettingsEntry } from './document-parts.ts';
import { unusedName } from './secret-names.ts';

/** A route as a person writes it: what has a default may be missing. */
export interface RouteEntry {
  description?: string;
  targets: { model: string; weight?: number }[];
  then?: string[];
  when?: Route['when'];
  onContentFilter?: 'next';
}

/** The models of targets, the one with the largest share first. */
export const largestFirst = (targets: RouteEntry['targets']): string[] =>
  targets.toSorted((one, other) => (other.weight ?? 1) - (one.weight ?? 1)).map(({ model }) => model);

/** What the written files will have. */
export interface Draft {
  readonly known: KnownModels;
  readonly left: LeftOvers;
  readonly providers: Map<string, ProviderChange>;
  readonly models: Map<string, ModelChange>;
  readonly providerKeys: Map<string, { provider: string; key: { fromEnv: string } }>;
  readonly routes: Map<string, RouteEntry>;
  readonly projects: Map<string, ProjectEntry>;
  readonly keys: Map<string, KeyEntry>;
  settings: SettingsEntry;
  /** Settings of the gateway's own environment: a value, or the variable that has it now. */
  readonly variables: Map<string, { value: string } | { variable: string }>;
}

export const startDraft = (known: KnownModels): Draft => ({
  known,
  left: gatherLeftOvers(),
  providers: new Map(),
  models: new Map(),
  providerKeys: new Map(),
  routes: new Map(),
  projects: new Map(),
  keys: new Map(),
  settings: {},
  variables: new Map(),
});

const longestCacheSeconds = 365 * 86_400;

/** Answers are cached at least ten seconds and at most a year. */
export function setCacheTtl(draft: Draft, seconds: number): void {
  draft.settings = { cacheTtlSeconds: Math.min(longestCacheSeconds, Math.max(10, Math.round(seconds))) };
}

/** With room for a number. */
const longestLabel = 90;

/** The same variable may hold the key of several providers. */
export function addProviderKey({ providerKeys }: Draft, provider: string, fromEnv: string): void {
  const entry = { provider, key: { fromEnv } };
  const same = [...providerKeys.values()].some((each) => each.provider === provider && each.key.fromEnv === fromEnv);
  if (!same) providerKeys.set(unusedName(providerKeys, fromEnv.slice(0, longestLabel), ' '), entry);
}

/** The environment has one value for all models of a provider. */
export function setVariable(
  { variables, left }: Draft,
  name: string,
  { from, path }: { from: { value: string } | { variable: string }; path: Path },
): void {
  const before = variables.get(name);
  if (before !== undefined && JSON.stringify(before) !== JSON.stringify(from)) {
    left.add(path, `${name} has one value for the whole gateway, and another model has set it.`, oneValue);
  } else variables.set(name, from);
}

const oneValue = 'Keep these models in one place, or add an OpenAI-compatible address to providers of tallyport.yaml.';
