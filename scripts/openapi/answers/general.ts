import { type ErrorBody, errorTable } from '@switchyard/contracts';
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

export const healthSchema = z.object({
  message: z.string().describe('OK, or the dependency that is not reachable.'),
  version: z.string(),
  health: z.object({ status: z.enum(['ok', 'error']), redis: check, database: check }),
});
