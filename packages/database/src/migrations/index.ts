import type { Migration } from 'kysely/migration';
import { accountsAndKeys } from './0001-accounts-and-keys.ts';
import { catalogueOverrides } from './0002-catalogue-overrides.ts';
import { people } from './0003-people.ts';
import { providerKeys } from './0004-provider-keys.ts';
import { oauth } from './0005-oauth.ts';
import { ledger } from './0006-ledger.ts';
import { usageAside } from './0007-usage-aside.ts';
import { passwordLinks } from './0008-password-links.ts';
import { oauthLastUse } from './0009-oauth-last-use.ts';

/**
 * Alphabetical, and only ever added to at the end: a name that has run somewhere never changes. A migration only adds, so
 * that the release before it works on beside it; one that cannot ends in `-breaking`, and older releases then refuse to start.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-accounts-and-keys': accountsAndKeys,
  '0002-catalogue-overrides': catalogueOverrides,
  '0003-people': people,
  '0004-provider-keys': providerKeys,
  '0005-oauth': oauth,
  '0006-ledger': ledger,
  '0007-usage-aside': usageAside,
  '0008-password-links': passwordLinks,
  '0009-oauth-last-use': oauthLastUse,
};
