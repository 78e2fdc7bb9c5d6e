import { type ErrorBody, errorTable } from '@tallyport/contracts';
import { z } from 'zod';

const codes = Object.keys(errorTable) as (keyof typeof errorTable)[];
const types = [...new Set(Object.values(errorTable).map(({ type }) => type))];

export const errorSchema = z.object({
  error: z.object({
    message: z.string().describe('What went wrong and what to do.'),
    type: z.enum(types),
    param: z.string().nullable().describe('The invalid member, for example `messages[2].content`.'),
    code: z.enum(codes).nullable(),
    attempts: z
      .array(z.object({ provider: z.string(), status: z.int().nullable(), kind: z.string() }))
      .optional()
      .describe('The failed provider calls.'),
    provider: z
      .object({
        id: z.string(),
        status: z.int().nullable().describe('Its HTTP status; null if the error was inside a successful response.'),
        code: z.string().optional().describe('Its error code.'),
        details: z
          .record(z.string(), z.string())
          .optional()
          .describe('Further details from the provider: `failed_generation`, `raw`.'),
      })
      .optional()
      .describe("The provider's error, if it caused the failure."),
  }),
}) satisfies z.ZodType<ErrorBody>;

const check = z.object({ connected: z.boolean(), error: z.string().optional() });

const providerStatus = z.enum(['operational', 'degraded', 'outage']);
const uptime = z.number().min(0).max(1);

export const statusSchema = z.object({
  object: z.literal('status'),
  status: z
    .enum([...providerStatus.options, 'unknown'])
    .describe('Of all providers together; `unknown` without calls.'),
  description: z.string().describe('The status in words.'),
  updated_at: z.iso.datetime().describe('It is read again after 30 seconds.'),
  period_days: z.int(),
  providers: z.array(
    z.object({
      provider: z.string(),
      status: providerStatus,
      uptime: uptime.nullable().describe('The mean of the days; null if none is known.'),
      days: z.array(z.object({ day: z.iso.date(), uptime })).describe('UTC days with at least ten calls.'),
    }),
  ),
  incidents: z
    .array(
      z.object({
        provider: z.string(),
        started_at: z.iso.datetime(),
        ended_at: z.iso.datetime().nullable().describe('Null while it lasts.'),
        resolved: z.boolean(),
        uptime: uptime.describe('The share of calls that the provider answered meanwhile.'),
      }),
    )
    .describe('Of the last 14 days, the newest first.'),
});

export const healthSchema = z.object({
  message: z.string().describe('OK, or what is not reachable: redis, database, nats, or services by name.'),
  version: z.string(),
  health: z.object({
    status: z.enum(['ok', 'error']),
    redis: check,
    database: check,
    nats: check,
    services: check.describe('Whether replicas of auth-svc, ledger-svc, catalog-svc and chat-svc answer.'),
  }),
});
