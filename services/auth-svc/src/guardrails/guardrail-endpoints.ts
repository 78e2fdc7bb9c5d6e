import type { Database } from '@tallyport/database';
import { guardrailOperations as operations } from '@tallyport/management';
import { type ApiEndpoint, endpoint } from '@tallyport/management-server';
import { checkGuardrails, guardrailsOf } from '../callers/guardrails.ts';
import { inScope, type KeyScope, noSuchKey, scopeOf } from '../keys/key-scope.ts';
import type { RuleTrials } from './rule-trials.ts';

export interface GuardrailEndpointTools {
  database: Database;
  ruleTrials: Pick<RuleTrials, 'run'>;
}

export const guardrailEndpoints = ({ database, ruleTrials }: GuardrailEndpointTools): ApiEndpoint[] => [
  endpoint(operations.tryGuardrails, async ({ key, part, text, guardrails: unsaved }, caller) => {
    checkGuardrails(unsaved);
    const { guardrails = [] } = guardrailsOf(
      unsaved ?? (await accountRules(database, caller.accountId)),
      key === undefined ? null : await keyRules(database, scopeOf(caller), key),
    );
    return ruleTrials.run(caller, { policies: guardrails, part, text });
  }),
];

async function accountRules({ kysely }: Database, id: string): Promise<unknown> {
  const query = kysely.selectFrom('accounts').select('guardrails').where('id', '=', id);
  return (await query.executeTakeFirstOrThrow()).guardrails;
}

async function keyRules({ kysely }: Database, scope: KeyScope, id: string): Promise<unknown> {
  const row = await kysely
    .selectFrom('api_keys')
    .select('guardrails')
    .where('id', '=', id)
    .where(inScope(scope))
    .executeTakeFirst();
  if (row === undefined) throw noSuchKey();
  return row.guardrails;
}
