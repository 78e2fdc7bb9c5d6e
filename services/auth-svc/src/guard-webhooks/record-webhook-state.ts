import type { Client } from '@tallyport/bus';
import type { authService, GuardWebhookState } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';

/** Records what processes report until the returned function is called. */
export const recordWebhookStates = (
  states: Client<(typeof authService)['operations']>['guardWebhookState'],
  database: Database,
  onFailure: (error: unknown) => void,
): (() => void) => states.subscribe((state) => void recordWebhookState(database, state).catch(onFailure));

/** Every replica records what any process reports: the last report counts, and a pause ends by itself. */
export async function recordWebhookState(
  { kysely }: Database,
  { id, accountId, pausedUntil, problem }: GuardWebhookState,
): Promise<void> {
  await kysely
    .updateTable('guard_webhooks')
    .set({ paused_until: pausedUntil === null ? null : new Date(pausedUntil), problem: problem ?? null })
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .execute();
}
