import type { UsageDimension, UsagePoint } from '@tallyport/management';
import { sumOf, type Totals, totalsOf } from './totals.ts';

/** The usage of a model, provider, key or project, by part of the period. */
export interface UsageGroup {
  /** As in the API; `undefined` for all groups that have no row of their own. */
  id: string | undefined;
  title: string;
  total: Totals;
  /** By `at` of the part. */
  parts: ReadonlyMap<string, Totals>;
}

export const dimensionTitles = {
  model: 'Model',
  provider: 'Provider',
  key: 'Key',
  project: 'Project',
} as const satisfies Record<UsageDimension, string>;

/** The name of a group by its id in the API. */
export type NameOf = (id: string) => string;

/** Points with the same group, highest cost first and all others at the end. */
export function groupsOf(points: readonly UsagePoint[], by: UsageDimension, nameOf: NameOf): UsageGroup[] {
  const groups = Map.groupBy(points, (point) => point[by]);
  return [...groups]
    .map(([id, own]) => {
      const parts = new Map(own.map((point) => [point.at, totalsOf(point)]));
      return { id, title: titleOf(id, by, nameOf), total: sumOf([...parts.values()]), parts };
    })
    .toSorted(byCost);
}

function titleOf(id: string | undefined, by: UsageDimension, nameOf: NameOf): string {
  if (id === undefined) return 'All others';
  if (id === '') return by === 'provider' ? 'No provider' : `No ${by}`;
  return nameOf(id);
}

function byCost(one: UsageGroup, other: UsageGroup): number {
  if ((one.id === undefined) !== (other.id === undefined)) return one.id === undefined ? 1 : -1;
  return other.total.cost - one.total.cost || other.total.requests - one.total.requests;
}
