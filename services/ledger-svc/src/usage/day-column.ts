import { sql } from '@tallyport/database';

/** SQL: the UTC day of a row, as `2026-11-23`. */
export const dayColumn = sql`to_char(at at time zone 'UTC', 'YYYY-MM-DD')`;
