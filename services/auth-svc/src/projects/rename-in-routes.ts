import { type Queries, sql } from '@tallyport/database';

interface Renamed {
  accountId: string;
  before: string;
  name: string;
}

/** Routes that name the project for their shadow name it anew; one that has its id keeps that. Lock the account before. */
export const renameInRoutes = (transaction: Queries, { accountId, before, name }: Renamed): Promise<unknown> =>
  sql`update routes set definition = jsonb_set(definition, '{shadow,project}', to_jsonb(${name}::text))
    where account_id = ${accountId} and lower(definition #>> '{shadow,project}') = lower(${before})
      and not exists (select from projects where projects.account_id = ${accountId} and projects.id = definition #>> '{shadow,project}')`.execute(
    transaction,
  );
