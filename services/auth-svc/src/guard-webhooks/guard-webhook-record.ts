import type { Row } from '@tallyport/database';
import type { GuardWebhookRecord } from '@tallyport/management';
import type { SecretPlace } from '@tallyport/management-server';

export const guardWebhookColumns = [
  'id',
  'name',
  'url',
  'last_four',
  'paused_until',
  'problem',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof Row<'guard_webhooks'>)[];

type GuardWebhookRow = Pick<Row<'guard_webhooks'>, (typeof guardWebhookColumns)[number]>;

export const guardWebhookRecord = (row: GuardWebhookRow): GuardWebhookRecord => ({
  id: row.id,
  name: row.name,
  url: row.url,
  lastFour: row.last_four,
  ...(row.paused_until !== null && row.paused_until > new Date() && pauseOf(row.paused_until, row.problem)),
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

const pauseOf = (until: Date, problem: string | null) => ({
  pausedUntil: until.toISOString(),
  ...(problem !== null && { problem }),
});

/** The place of a webhook's secret among the secrets. */
export const guardWebhookPlace = (accountId: string, id: string): SecretPlace => ({
  id,
  accountId,
  purpose: 'guard-webhook',
});
