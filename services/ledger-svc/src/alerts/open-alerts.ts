import type { Database } from '@tallyport/database';
import type { ConfigOf, Kit } from '@tallyport/service-kit';
import { targetRules, type targetsConfig } from '@tallyport/outbound';
import type { Secrets } from '@tallyport/management-server';
import type { AlertEndpointTools } from './alert-endpoints.ts';
import type { alertsConfig } from './config.ts';
import { createEmailSender } from './deliveries/send-email.ts';
import { createWebhookSender } from './deliveries/send-webhook.ts';
import { alertEvents } from './events.ts';
import { keepAlerts } from './keep-alerts.ts';

type AlertsConfig = ConfigOf<typeof alertsConfig & typeof targetsConfig>;

interface AlertParts {
  database: Database;
  secrets: Secrets;
  /** The public address without a trailing slash. */
  publicUrl(): string;
  /** Throws until the database is prepared. */
  ready(): void;
}

interface Alerts {
  /** For the management API. */
  tools: AlertEndpointTools['alerts'];
  start(): void;
  stop(): Promise<void>;
}

/** Alerts of all accounts: their operations, and their checks in the background. */
export function openAlerts(kit: Kit<AlertsConfig>, { ready, ...parts }: AlertParts): Alerts {
  const webhookUrls = targetRules(kit.config);
  const { SMTP_URL: url, SMTP_FROM: from } = kit.config;
  const tools = {
    ...parts,
    webhookUrls,
    webhooks: createWebhookSender(webhookUrls),
    emails: url === undefined || from === undefined ? undefined : createEmailSender({ url, from }),
    events: alertEvents(kit),
  };
  const keeper = keepAlerts({ ...tools, ready });
  return {
    tools,
    start: keeper.start,
    async stop() {
      await keeper.stop();
      tools.emails?.close();
      await tools.webhooks.close();
    },
  };
}
