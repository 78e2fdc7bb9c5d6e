import { GatewayError } from '@tallyport/contracts';
import type { Queries } from '@tallyport/database';
import type { AlertCondition } from '@tallyport/management';

interface Subject {
  kind: 'account' | 'key' | 'project';
  id: string;
  param: string;
}

/**
 * Throws if the account does not have the key or project that the condition names: the alert would never fire. Models and
 * providers are not checked, because they may be added later.
 */
export async function checkSubject(queries: Queries, accountId: string, condition: AlertCondition): Promise<void> {
  const subject = subjectOf(condition);
  if (subject === undefined || (await exists(queries, accountId, subject))) return;
  const { kind, param } = subject;
  const list = kind === 'account' ? 'Leave it out' : `List them: GET /api/v1/${kind}s`;
  throw new GatewayError('invalid_parameters', `\`${param}\`: is not the id of a ${kind} of this account. ${list}.`, {
    param,
  });
}

function subjectOf(condition: AlertCondition): Subject | undefined {
  if ('scope' in condition)
    return condition.id === undefined ? undefined : { kind: condition.scope, id: condition.id, param: 'condition.id' };
  if (!('key' in condition) || condition.key === undefined) return undefined;
  return { kind: 'key', id: condition.key, param: 'condition.key' };
}

async function exists(queries: Queries, accountId: string, { kind, id }: Subject): Promise<boolean> {
  if (kind === 'account') return id === accountId;
  const own = { id, account_id: accountId };
  const keys = queries.selectFrom('api_keys').select('id').where('revoked_at', 'is', null);
  const projects = queries.selectFrom('projects').select('id');
  const found = kind === 'key' ? keys.where((where) => where.and(own)) : projects.where((where) => where.and(own));
  return (await found.executeTakeFirst()) !== undefined;
}
