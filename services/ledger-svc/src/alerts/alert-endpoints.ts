import { GatewayError } from '@tallyport/contracts';
import { alertOperations as operations, type WebhookInput } from '@tallyport/management';
import type { UrlRules } from '@tallyport/outbound';
import { type ApiEndpoint, checkPublicUrl, endpoint } from '@tallyport/management-server';
import { countFiring, readAlerts } from './alert-record.ts';
import { changeAlert } from './change-alert.ts';
import { createAlert } from './create-alert.ts';
import { deleteAlert } from './delete-alert.ts';
import type { DeliveryTools } from './deliveries/deliver.ts';
import { readAlertHistory } from './read-alert-history.ts';
import { askToConfirm, type ConfirmationTools } from './addresses/ask-to-confirm.ts';
import { testAlert } from './test-alert.ts';

export interface AlertEndpointTools extends Pick<ConfirmationTools, 'attempts'> {
  alerts: DeliveryTools & {
    /** Which URLs webhooks may have. */
    webhookUrls: UrlRules;
  };
}

export function alertEndpoints({ alerts, attempts }: AlertEndpointTools): ApiEndpoint[] {
  const tools = { ...alerts, attempts };
  const { database } = tools;
  const checkReceivers = ({ webhook, emails }: Receivers): void => {
    if (webhook) checkPublicUrl(webhook.url, 'webhook.url', tools.webhookUrls);
    if (emails && tools.emails === undefined) throw noEmail();
  };
  return [
    endpoint(operations.listAlerts, async (_input, { accountId }) => ({
      alerts: await readAlerts(database.kysely, accountId),
      emailAvailable: tools.emails !== undefined,
    })),
    endpoint(operations.createAlert, async (input, caller) => {
      checkReceivers(input);
      const created = await createAlert(tools, caller, input);
      await askToConfirm(tools, caller.accountId, input.emails);
      return created;
    }),
    endpoint(operations.readFiringAlerts, async (_input, { accountId }) => ({
      count: await countFiring(database, accountId),
    })),
    endpoint(operations.listAlertEvents, (query, { accountId }) => readAlertHistory(database, { ...query, accountId })),
    endpoint(
      operations.readAlert,
      async ({ id }, { accountId }) => (await readAlerts(database.kysely, accountId, id))[0] ?? noSuchAlert(),
    ),
    endpoint(operations.changeAlert, async ({ id, ...changes }, caller) => {
      checkReceivers(changes);
      const changed = (await changeAlert(tools, caller, { id, changes })) ?? noSuchAlert();
      await askToConfirm(tools, caller.accountId, changes.emails);
      return changed;
    }),
    endpoint(operations.deleteAlert, async ({ id }, caller) => (await deleteAlert(tools, caller, id)) ?? noSuchAlert()),
    endpoint(operations.testAlert, async ({ id }, caller) => (await testAlert(tools, caller, id)) ?? noSuchAlert()),
  ];
}

interface Receivers {
  webhook?: WebhookInput | null | undefined;
  emails?: readonly string[] | null | undefined;
}

const noEmail = (): GatewayError =>
  new GatewayError('invalid_parameters', '`emails`: this installation sends no e-mail. Use a webhook.', {
    param: 'emails',
  });

function noSuchAlert(): never {
  throw new GatewayError('not_found', 'This alert does not exist. List all alerts: GET /api/v1/alerts');
}
