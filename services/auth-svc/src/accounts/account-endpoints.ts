import { GatewayError } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { accountOperations as operations } from '@tallyport/management';
import { type ApiEndpoint, endpoint } from '@tallyport/management-server';
import type { Announce } from '../bus/announce.ts';
import type { ContentLogRules } from '../callers/content-log-setting.ts';
import { type AccountChange, changeAccount, createAccount, listAccounts, readAccount } from './accounts.ts';
import { invite } from './invitations.ts';

export interface AccountEndpointTools {
  database: Database;
  announce: Announce;
  publicUrl(): string;
  contentLog: Pick<ContentLogRules, 'checkMayKeep'>;
}

export function accountEndpoints({ database, announce, publicUrl, contentLog }: AccountEndpointTools): ApiEndpoint[] {
  async function change(wanted: AccountChange) {
    if (wanted.changes.contentLog) contentLog.checkMayKeep();
    const account = await changeAccount(database, wanted);
    announce.accountChanged(account.id);
    return account;
  }
  return [
    endpoint(operations.readAccount, (_input, { accountId }) => readAccount(database, accountId)),
    endpoint(operations.changeAccount, async (changes, { accountId, actor, operator }) => {
      if (operator) return change({ id: accountId, actor, changes });
      const { name, ...allowed } = changes;
      refuseOwnBounds(allowed);
      if (name !== undefined) await refuseOwnName(database, { accountId, name });
      return change({ id: accountId, actor, changes: allowed });
    }),
    endpoint(operations.listAccounts, async () => ({ accounts: await listAccounts(database) })),
    endpoint(operations.createAccount, ({ name, ownerEmail }, { actor }) =>
      database.kysely.transaction().execute(async (transaction) => {
        const account = await createAccount(transaction, { name, actor });
        if (ownerEmail === undefined) return { account };
        const owner = { accountId: account.id, actor, email: ownerEmail, role: 'owner' } as const;
        const { invitation, path } = await invite(transaction, owner);
        return { account, invitation: { ...invitation, url: publicUrl() + path } };
      }),
    ),
    endpoint(operations.changeAnyAccount, ({ id, ...changes }, { actor }) => change({ id, actor, changes })),
  ];
}

/** Owners cannot change the limits and tags that operators set for their account. */
function refuseOwnBounds(changes: AccountChange['changes']): void {
  const param = (['tags', 'limits', 'budget'] as const).find((name) => changes[name] !== undefined);
  if (param !== undefined) throw onlyOperators(param);
}

/** The gateway document finds accounts by name. A form that sends the present name changes nothing. */
async function refuseOwnName(
  database: Database,
  { accountId, name }: { accountId: string; name: string },
): Promise<void> {
  if (name !== (await readAccount(database, accountId)).name) throw onlyOperators('name');
}

const onlyOperators = (param: string): GatewayError =>
  new GatewayError('permission_denied', `Only an operator can set ${param} of an account. Ask one.`, { param });
