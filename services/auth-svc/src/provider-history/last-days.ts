import { type RawBuilder, sql } from '@switchyard/database';

/** SQL: of the last days in UTC, the present one included. */
export const ofLastDays = (days: number): RawBuilder<unknown> =>
  sql`at >= date_trunc('day', now(), 'UTC') - make_interval(days => ${days - 1}::int)`;
