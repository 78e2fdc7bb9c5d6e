import { type RawBuilder, sql } from '@switchyard/database';
import type { Grouping, TallyGrouping } from '@switchyard/management';
import { summedColumns } from './write-usage.ts';

interface Source {
  /** Of all requests. */
  all: string;
  /** Of requests of projects, with `project_id`. */
  projects: string;
  place: readonly string[];
  /** The columns that are added up. */
  amounts: readonly string[];
}

const use = ['account_id', 'at', 'key_id', 'model', 'provider'];
const sums = { place: [...use, 'own_key'], amounts: summedColumns };

const sources = {
  hours: { all: 'usage_hours', projects: 'project_hours', ...sums },
  days: { all: 'usage_days', projects: 'project_days', ...sums },
  tallies: {
    all: 'usage_tallies',
    projects: 'project_tallies',
    place: [...use, 'measure', 'value'],
    amounts: ['requests'],
  },
} as const satisfies Record<string, Source>;

/** The table of a query; one about projects reads a relation with `project_id`, which is empty outside projects. */
export function usageRelation(
  name: keyof typeof sources,
  { projectId }: { projectId?: string | undefined },
  by: readonly (Grouping | TallyGrouping)[] = [],
): RawBuilder<unknown> {
  const source = sources[name];
  return projectId === undefined && !by.includes('project') ? sql.raw(source.all) : withProjects(source);
}

/** Usage outside projects is all usage less that of projects. */
function withProjects({ all, projects, place, amounts }: Source): RawBuilder<unknown> {
  const places = place.join(', ');
  const negative = amounts.map((amount) => `-${amount}`).join(', ');
  return sql.raw(`(
    select ${places}, project_id, ${amounts.join(', ')} from ${projects}
    union all select ${places}, '', ${amounts.join(', ')} from ${all}
    union all select ${places}, '', ${negative} from ${projects}
  ) as usage`);
}
