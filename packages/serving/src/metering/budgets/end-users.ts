import { hash } from 'node:crypto';
import { mostEndUsers, noEndUser, otherEndUsers } from '@tallyport/contracts';
import type { Store } from '@tallyport/store';
import { keepMs } from './book.ts';
import type { CountedEndUser } from './counted-end-user.ts';

interface NamedEndUser {
  accountId: string;
  /** Absent if the request names none. */
  endUser: string | undefined;
}

/** End users of this month whom the store has admitted: it need not be asked for each of their requests. */
export interface AdmittedEndUsers {
  get(place: string): true | undefined;
  set(place: string, admitted: true): unknown;
}

interface AdmittingTools {
  store: Pick<Store, 'admit'>;
  admitted: AdmittedEndUsers;
  now(): Date;
  /** Whether this replica knows a budget of this end user. */
  isKnown(endUser: CountedEndUser): boolean;
}

/**
 * The end user under whose budget a request counts. While the store is unavailable, only end users that this replica knows
 * keep a budget of their own: made-up names must not bring new ones.
 */
export async function countedEndUser(
  { store, admitted, now, isKnown }: AdmittingTools,
  { accountId, endUser }: NamedEndUser,
): Promise<CountedEndUser> {
  if (endUser === undefined) return counted(accountId, noEndUser, 'none');
  const own = counted(accountId, endUser, 'own');
  const month = now().toISOString().slice(0, 7);
  const set = `end-users:${accountId}:${month}`;
  const place = `${set}:${own.id}`;
  if (admitted.get(place)) return own;
  const isAdmitted = await store.admit(set, { member: own.id, most: mostEndUsers, ttlMs: keepMs });
  if (isAdmitted === true) admitted.set(place, true);
  return (isAdmitted ?? isKnown(own)) ? own : counted(accountId, otherEndUsers, 'shared');
}

const counted = (accountId: string, name: string, how: CountedEndUser['counted']): CountedEndUser => ({
  accountId,
  name,
  id: hash('sha256', name, 'base64url').slice(0, 22),
  counted: how,
});
