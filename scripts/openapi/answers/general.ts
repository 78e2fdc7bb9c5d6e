import { type ErrorBody, errorTable } from '@switchyard/contracts';
import { z } from 'zod';

const codes = Object.keys(errorTable) as (keyof typeof errorTable)[];
const types = [...new Set(Object.values(errorTable).map(({ type }) => type))];

export const errorSchema = z.object({
  error: z.object({
    message: z.string().describe('What went wrong and what to do about it.'),
    type: z.enum(types),
    param: z.string().nullable().describe('The member that is wrong, such as `messages[2].content`.'),
    code: z.enum(codes).nullable(),
    attempts: z
      .array(z.object({ provider: z.string(), status: z.int().nullable(), kind: z.string() }))
      .optional()
      .describe('Where providers failed: which, and how.'),
  }),
}) satisfies z.ZodType<ErrorBody>;

const check = z.object({ connected: z.boolean(), error: z.string().optional() });

export const healthSchema = z.object({
  message: z.string().describe('OK, or what is away.'),
  version: z.string(),
  health: z.object({ status: z.enum(['ok', 'error']), redis: check, database: check }),
});
