import { randomBytes } from 'node:crypto';
import { type WebhookFormat, webhookSecretPrefix } from '@tallyport/management';
import type { SecretPlace } from '@tallyport/management-server';

export const makeWebhookSecret = (): string => webhookSecretPrefix + randomBytes(32).toString('base64');

/** The place of an alert's secret among the secrets. */
export const webhookSecretPlace = (accountId: string, id: string): SecretPlace => ({
  id,
  accountId,
  purpose: 'alert-webhook',
});

/** For logs and lists: the path of a webhook may be a secret. */
export const webhookHost = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

export const formatColumn = (format: WebhookFormat | undefined): 'slack' | 'teams' | null =>
  format === undefined || format === 'standard' ? null : format;
