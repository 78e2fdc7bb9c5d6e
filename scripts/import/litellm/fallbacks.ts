import { type Draft, largestFirst } from '../draft.ts';
import type { Path } from '../left-over.ts';
import { type Members, openMembers } from '../members.ts';
import type { Group } from './groups.ts';

/** The groups that stand in for each group. */
export type Fallbacks = ReadonlyMap<string, { groups: readonly string[]; path: Path }>;

/** Reads a list such as `[{ fast: [slow, other] }]`. */
export function readFallbacks(settings: Members, name: string, { left }: Draft): Fallbacks {
  const fallbacks = new Map<string, { groups: string[]; path: Path }>();
  for (const [at, entry] of settings.list(name).entries()) {
    const members = openMembers(entry, [...settings.path, name, at], left);
    for (const group of members.names()) {
      const path = [...members.path, group];
      const groups = members.list(group).flatMap((each, index) => groupIn(each, [...path, index], left) ?? []);
      fallbacks.set(group, { groups: [...(fallbacks.get(group)?.groups ?? []), ...groups], path });
    }
  }
  return fallbacks;
}

/** A name, or an object with members that the repeated request would get. */
export function groupIn(entry: unknown, path: Path, left: Draft['left']): string | undefined {
  if (typeof entry === 'string') return entry;
  const members = openMembers(entry, path, left);
  const model = members.text('model');
  for (const name of members.names()) members.leave(name, ['A fallback cannot change the request.', '']);
  return model;
}

export interface StandInSources {
  groups: ReadonlyMap<string, Group>;
  fallbacks: Fallbacks;
  /** The name of the group that an alias means. */
  resolve(name: string): string;
  draft: Draft;
}

/**
 * The models that stand in for a group, each once. Fallbacks have fallbacks in LiteLLM, so this descends into them,
 * and a circle ends where it began.
 */
export function standInsOf(group: string, sources: StandInSources, except: readonly string[]): string[] {
  const found = new Set<string>();
  const seen = new Set([group]);
  const pending = [...namesAfter(group, sources)];
  for (let next = pending.shift(); next !== undefined && seen.size < mostGroups; next = pending.shift()) {
    const name = sources.resolve(next.name);
    if (seen.has(name)) continue;
    seen.add(name);
    for (const model of modelsOf(name, next.path, sources)) if (!except.includes(model)) found.add(model);
    pending.unshift(...namesAfter(name, sources));
  }
  return [...found];
}

/** A route has room for five models; a hostile file may have far more. */
const mostGroups = 50;

function namesAfter(group: string, { fallbacks }: StandInSources): { name: string; path: Path }[] {
  const { groups, path } = fallbacks.get(group) ?? fallbacks.get('*') ?? { groups: [], path: [] };
  return groups.slice(0, mostGroups).map((name) => ({ name, path }));
}

/** The models of a group, the one with the largest share first. */
function modelsOf(name: string, path: Path, { groups, draft: { known, left } }: StandInSources): string[] {
  const group = groups.get(name);
  if (group === undefined) {
    const model = known.named(name.slice(name.indexOf('/') + 1)) && name;
    if (model === undefined)
      left.add(path, 'It names a model that the file does not have.', 'Correct it and import again.');
    return model === undefined ? [] : [model];
  }
  return [...largestFirst(group.targets), ...group.spare];
}
