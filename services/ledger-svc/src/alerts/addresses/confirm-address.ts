import { type Database, sql } from '@tallyport/database';
import { type Attempts, hashToken, type OpenedLink, orUnavailable } from '@tallyport/management-server';
import { confirmationDays } from './ask-to-confirm.ts';

export interface AlertAddresses {
  /** The address and the name of the account; `undefined` if the link is unknown, used or expired. */
  find(link: OpenedLink): Promise<{ email: string; accountName: string } | undefined>;
  /** Resolves with whether the link still worked. */
  confirm(link: OpenedLink): Promise<boolean>;
}

const isFresh = sql<boolean>`sent_at > now() - make_interval(days => ${confirmationDays}::int)`;

/** Links with which people agree to get alerts. */
export function createAlertAddresses({
  database: { kysely },
  attempts,
}: {
  database: Database;
  attempts: Pick<Attempts, 'count'>;
}): AlertAddresses {
  return {
    find: orUnavailable(async ({ token, address }) => {
      await attempts.count('link_address', address);
      return kysely
        .selectFrom('alert_addresses')
        .innerJoin('accounts', 'accounts.id', 'alert_addresses.account_id')
        .select(['alert_addresses.email', 'accounts.name as accountName'])
        .where('token_hash', '=', hashToken(token))
        .where(isFresh)
        .executeTakeFirst();
    }),
    confirm: orUnavailable(async ({ token, address }) => {
      await attempts.count('link_address', address);
      const { numUpdatedRows } = await kysely
        .updateTable('alert_addresses')
        .set({ confirmed_at: sql<Date>`now()`, token_hash: null })
        .where('token_hash', '=', hashToken(token))
        .where(isFresh)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    }),
  };
}
