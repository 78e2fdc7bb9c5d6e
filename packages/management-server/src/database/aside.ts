import type { Database } from '@tallyport/database';

/** What the operations of one account read does not keep the keys of others waiting. */
export const aside = (database: Database): Database => ({ ...database, kysely: database.aside });
