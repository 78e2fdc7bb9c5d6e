import { GatewayError, type GuardWebhookTest } from '@tallyport/contracts';
import { guardWebhookOperations as operations } from '@tallyport/management';
import type { UrlRules } from '@tallyport/outbound';
import { type ApiEndpoint, checkPublicUrl, endpoint, recordAudit } from '@tallyport/management-server';
import type { Announce } from '../bus/announce.ts';
import { changeGuardWebhook } from './change-guard-webhook.ts';
import { createGuardWebhook } from './create-guard-webhook.ts';
import { deleteGuardWebhook } from './delete-guard-webhook.ts';
import type { GuardWebhookTools } from './guard-webhook-tools.ts';
import { listGuardWebhooks } from './list-guard-webhooks.ts';

export interface GuardWebhookEndpointTools extends GuardWebhookTools {
  announce: Pick<Announce, 'guardWebhookChanged'>;
  /** Asks a service that connects to webhooks. */
  testGuardWebhook(of: { accountId: string; id: string }): Promise<GuardWebhookTest>;
  /** Which URLs webhooks may have. */
  targetUrls: UrlRules;
}

export function guardWebhookEndpoints(tools: GuardWebhookEndpointTools): ApiEndpoint[] {
  const { database, announce, targetUrls } = tools;
  return [
    endpoint(operations.listGuardWebhooks, async (_input, { accountId }) => ({
      guardWebhooks: await listGuardWebhooks(database, accountId),
    })),
    endpoint(operations.createGuardWebhook, async (input, caller) => {
      checkPublicUrl(input.url, 'url', targetUrls);
      const created = await createGuardWebhook(tools, caller, input);
      announce.guardWebhookChanged('created', { id: created.id, accountId: caller.accountId });
      return created;
    }),
    endpoint(operations.changeGuardWebhook, async ({ id, ...changes }, caller) => {
      if (changes.url !== undefined) checkPublicUrl(changes.url, 'url', targetUrls);
      const changed = (await changeGuardWebhook(tools, caller, { id, changes })) ?? noSuchWebhook();
      announce.guardWebhookChanged('changed', { id, accountId: caller.accountId });
      return changed;
    }),
    endpoint(operations.testGuardWebhook, async ({ id }, { accountId, actor }) => {
      const tested = await tools.testGuardWebhook({ accountId, id });
      await recordAudit(database.kysely, { accountId, actor, action: 'guard_webhook.tested', subject: id });
      return tested;
    }),
    endpoint(operations.deleteGuardWebhook, async ({ id }, caller) => {
      const deleted = (await deleteGuardWebhook(tools, caller, id)) ?? noSuchWebhook();
      announce.guardWebhookChanged('deleted', { id, accountId: caller.accountId });
      return deleted;
    }),
  ];
}

function noSuchWebhook(): never {
  throw new GatewayError('not_found', 'This webhook does not exist. List all webhooks: GET /api/v1/guard-webhooks');
}
