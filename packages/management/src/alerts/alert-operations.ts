import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';
import { alertChangesSchema, newAlertSchema } from './alert-input.ts';
import { alertEventSchema, alertRecordSchema } from './alert-record.ts';

const alertId = { id: z.string().min(1).max(100) };

/** The only responses with the secret that signs webhooks. */
const withSecret = alertRecordSchema.extend({
  /** Present if it was made by this call. Webhooks are signed with it; it is not shown again. */
  webhookSecret: z.string().optional(),
});

/** Addresses of webhooks may be secrets, so only admins see alerts. */
export const alertOperations = {
  listAlerts: {
    method: 'GET',
    path: '/alerts',
    summary: "Lists the account's alerts with what they have found, in alphabetical order.",
    access: 'admin',
    input: z.strictObject({}),
    output: z.object({
      alerts: z.array(alertRecordSchema),
      /** Whether this installation sends e-mail. */
      emailAvailable: z.boolean(),
    }),
  },
  createAlert: {
    method: 'POST',
    path: '/alerts',
    summary:
      'Creates an alert on a budget, the cost of a day, latency, the uptime of providers, failing requests, keys that expire or differences from bills. It sends a signed webhook, e-mail or both when it fires and when it is resolved. An address that is new in the account gets a link with which its owner agrees.',
    access: 'admin',
    input: newAlertSchema,
    output: withSecret,
    status: 201,
  },
  readFiringAlerts: {
    method: 'GET',
    path: '/alerts/firing',
    summary: 'Counts the alerts that are firing.',
    access: 'admin',
    input: z.strictObject({}),
    output: z.object({ count: z.int().min(0) }),
  },
  listAlertEvents: {
    method: 'GET',
    path: '/alerts/history',
    summary:
      'Lists what alerts fired, resolved and tested in the last ninety days, newest first, with the deliveries of each.',
    access: 'admin',
    input: z.strictObject({
      /** The id of an alert. */
      alert: z.string().min(1).max(100).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
      cursor: z.string().min(1).max(100).optional(),
    }),
    output: z.object({ events: z.array(alertEventSchema), nextCursor: z.string().optional() }),
  },
  readAlert: {
    method: 'GET',
    path: '/alerts/{id}',
    summary: 'Returns an alert with what it has found.',
    access: 'admin',
    input: z.strictObject(alertId),
    output: alertRecordSchema,
  },
  changeAlert: {
    method: 'PATCH',
    path: '/alerts/{id}',
    summary:
      'Changes an alert. Omitted members stay unchanged. A webhook with another URL gets a new secret, and a new condition starts without a state.',
    access: 'admin',
    input: alertChangesSchema.extend(alertId),
    output: withSecret,
  },
  deleteAlert: {
    method: 'DELETE',
    path: '/alerts/{id}',
    summary: 'Deletes an alert. Its history stays.',
    access: 'admin',
    input: z.strictObject(alertId),
    output: alertRecordSchema,
  },
  testAlert: {
    method: 'POST',
    path: '/alerts/{id}/test',
    summary:
      'Sends a test message to each receiver, once, and returns the result. Addresses that are not confirmed get their link again.',
    access: 'admin',
    input: z.strictObject(alertId),
    output: alertEventSchema,
  },
} as const satisfies ApiOperations;
