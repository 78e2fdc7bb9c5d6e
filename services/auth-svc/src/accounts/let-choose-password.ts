import { GatewayError } from '@switchyard/contracts';
import type { Database, Queries } from '@switchyard/database';
import { makePasswordLink } from '../users/make-password-link.ts';
import { lockMember, type MemberChange } from './members.ts';

export interface PasswordLinkRequest extends MemberChange {
  /** Whoever runs the installation may do it for everybody. */
  byOperator: boolean;
}

/** A link for a member who has forgotten their password. One account's admins cannot get into another one with it. */
export function letChoosePassword({ kysely }: Database, request: PasswordLinkRequest) {
  return kysely.transaction().execute(async (transaction) => {
    const { email } = await lockMember(transaction, request);
    if (!request.byOperator && (await belongsElsewhere(transaction, request))) throw onlyOperators();
    const { path, expiresAt } = await makePasswordLink(transaction, request);
    return { email, path, expiresAt };
  });
}

/** Nobody joins an account while their row is held: joining then ends the link. */
async function belongsElsewhere(transaction: Queries, { userId, accountId }: MemberChange): Promise<boolean> {
  await transaction.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
  const elsewhere = await transaction
    .selectFrom('memberships')
    .select('account_id')
    .where('user_id', '=', userId)
    .where('account_id', '!=', accountId)
    .executeTakeFirst();
  return elsewhere !== undefined;
}

const onlyOperators = (): GatewayError =>
  new GatewayError(
    'permission_denied',
    'This person belongs to other accounts too: ask an operator of the installation for the link.',
  );
