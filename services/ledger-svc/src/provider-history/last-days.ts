import { type RawBuilder, sql } from '@tallyport/database';
import { dayMs } from '../usage/days.ts';

/** SQL: of the last days in UTC, the present one included. The time is a value, which Postgres need not find for each row. */
export const ofLastDays = (days: number): RawBuilder<unknown> =>
  sql`at >= ${new Date((Math.floor(Date.now() / dayMs) - days + 1) * dayMs)}`;
