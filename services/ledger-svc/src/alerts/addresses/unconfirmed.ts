import { type Queries, sql } from '@tallyport/database';

interface AddressSelection {
  accountId: string;
  emails: readonly string[];
  /** Leaves out those that were sent a link within these minutes. */
  notAskedForMinutes?: number;
}

/** Returns those of the addresses to which alerts of the account may not send yet. */
export async function unconfirmedOf(
  queries: Queries,
  { accountId, emails, notAskedForMinutes }: AddressSelection,
): Promise<string[]> {
  if (emails.length === 0) return [];
  const askedLately =
    notAskedForMinutes === undefined
      ? sql<boolean>`false`
      : sql<boolean>`sent_at > now() - make_interval(mins => ${notAskedForMinutes}::int)`;
  const rows = await queries
    .selectFrom('alert_addresses')
    .select('email')
    .where('account_id', '=', accountId)
    .where('email', 'in', emails)
    .where(sql<boolean>`(confirmed_at is not null or ${askedLately})`)
    .execute();
  const others = new Set(rows.map(({ email }) => email));
  return emails.filter((email) => !others.has(email));
}
