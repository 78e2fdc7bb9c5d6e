import { type RawBuilder, sql } from '@tallyport/database';
import type { UsageDimension } from '@tallyport/management';
import { type UsageQuery, usageCondition } from './read-usage.ts';

/** Usage of a period, of some model or provider only. */
export interface FilteredUsage extends UsageQuery {
  model?: string | undefined;
  provider?: string | undefined;
  /** Only these groups of a dimension. */
  only?: GroupsOf | undefined;
}

export interface GroupsOf {
  by: UsageDimension;
  groups: readonly string[];
}

export const dimensionColumns = {
  model: sql`model`,
  provider: sql`provider`,
  key: sql`key_id`,
  project: sql`project_id`,
} as const satisfies Record<UsageDimension, RawBuilder<unknown>>;

/** The SQL condition for sums and tallies. */
export const filteredCondition = ({ model, provider, only, ...usageQuery }: FilteredUsage): RawBuilder<unknown> =>
  sql.join(
    [
      usageCondition(usageQuery),
      ...(model === undefined ? [] : [sql`model = ${model}`]),
      ...(provider === undefined ? [] : [sql`provider = ${provider}`]),
      ...(only === undefined ? [] : [sql`${dimensionColumns[only.by]} in (${sql.join(only.groups)})`]),
    ],
    sql` and `,
  );
