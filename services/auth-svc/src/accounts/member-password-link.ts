import { GatewayError } from '@tallyport/contracts';
import type { Database, Queries } from '@tallyport/database';
import { makePasswordLink } from '../enrolment/make-password-link.ts';
import { lockMember, type MemberChange } from './members.ts';

interface PasswordLinkRequest extends MemberChange {
  /** Operators of the installation may do this for every user. */
  byOperator: boolean;
}

/**
 * Creates a password link for a member who forgot their password. Refused if the member belongs to other accounts, so
 * that an account's admins cannot get into them.
 */
export function createMemberPasswordLink({ kysely }: Database, request: PasswordLinkRequest) {
  return kysely.transaction().execute(async (transaction) => {
    const { email } = await lockMember(transaction, request);
    if (!request.byOperator && (await belongsElsewhere(transaction, request))) throw onlyOperators();
    const { path, expiresAt } = await makePasswordLink(transaction, request);
    return { email, path, expiresAt };
  });
}

/** Locks the user's row: joining another account has to wait, and then ends the link. */
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
    'This person also belongs to other accounts. Ask an operator of the installation for the link.',
  );
