import { type RawBuilder, sql } from '@tallyport/database';
import type { UsageDimension } from '@tallyport/management';
import type { EndUserOf } from './end-user-relation.ts';
import { type UsageQuery, usageCondition } from './read-usage.ts';

/** Usage of a period, of some model, provider or end user only. */
export interface FilteredUsage extends UsageQuery {
  model?: string | undefined;
  provider?: string | undefined;
  endUser?: EndUserOf | undefined;
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

/** The SQL condition for sums and tallies. Relations of an end user have no others. */
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
