import { isDeepStrictEqual } from 'node:util';
import type { SettingChange } from './plan-step.ts';

type Settings = Readonly<Record<string, unknown>>;

/** The settings that differ. A missing setting, `null` and an empty object are the same. */
export const settingChanges = (names: readonly string[], from: Settings, to: Settings): SettingChange[] =>
  names
    .map((name) => ({ name, from: normal(from[name]), to: normal(to[name]) }))
    .filter((change) => !isDeepStrictEqual(change.from, change.to));

/** The input that makes these changes: `null` removes a setting. */
export const changedSettings = (changes: readonly SettingChange[]): Record<string, unknown> =>
  Object.fromEntries(changes.map(({ name, to }) => [name, to ?? null]));

/** One form for values that mean the same: no empty objects, members in alphabetical order, times in UTC. */
function normal(value: unknown): unknown {
  if (typeof value === 'string') return isTime.test(value) ? new Date(value).toISOString() : value;
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  if (Array.isArray(value)) return value.map(normal);
  const members = Object.entries(value)
    .map(([name, member]) => [name, normal(member)] as const)
    .filter(([, member]) => member !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
