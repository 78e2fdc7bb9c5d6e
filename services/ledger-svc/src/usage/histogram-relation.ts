import { type RawBuilder, sql } from '@tallyport/database';
import type { TallyGrouping } from '@tallyport/management';
import { endUserHistograms } from './end-user-relation.ts';
import { dimensionsIn, type UsedDimensions } from './usage-relation.ts';
import { rowsOfSpan } from './weeks.ts';

export type HistogramUnit = 'hours' | 'days' | 'span';

/**
 * SQL: the histograms that a query adds up, from the dimension with the fewest rows. The columns that are neither filtered
 * nor grouped by may be empty. Histograms with a `sign` of -1 are subtracted.
 */
export function histogramRelation(
  unit: HistogramUnit,
  used: UsedDimensions,
  by: readonly TallyGrouping[],
): RawBuilder<unknown> {
  if (used.endUser !== undefined) return endUserHistograms(used.endUser, used);
  const table = unit === 'span' ? rowsOfSpan('usage_histogram', used) : sql.table(`usage_histogram_${unit}`);
  const rows = (dimension: string, project = 'project_id', sign = 1) => sql`
    select account_id, at, key_id, model, provider, ${sql.raw(project)} as project_id, ${sql.lit(sign)} as sign,
      duration, first_byte, speed from ${table} where dimension = ${sql.lit(dimension)}`;
  const dimensions = dimensionsIn(used, by);
  const others = dimensions.filter((dimension) => dimension !== 'project');
  const [only = 'all'] = others;
  const all = others.length > 1 || only === 'key' ? 'use' : only;
  if (!dimensions.includes('project')) return sql`(${rows(all)}) as usage`;
  const ofProjects = others.length === 0 ? 'project' : 'project_use';
  // Outside projects is everything less what is in projects.
  return sql`(${rows(ofProjects)} union all ${rows(all, `''`)} union all ${rows(ofProjects, `''`, -1)}) as usage`;
}
