import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';

const auditEntrySchema = z.object({
  id: z.string(),
  at: z.string(),
  /** `user:…`, `key:…`, `oauth:…` or `operator`. */
  actor: z.string(),
  action: z.string(),
  /** The id of the changed object. */
  subject: z.string(),
  detail: z.unknown().optional(),
});

export type AuditRecord = z.infer<typeof auditEntrySchema>;

export const auditOperations = {
  readAudit: {
    method: 'GET',
    path: '/audit',
    summary: 'Lists the actions in the account, newest first. Pass nextCursor to read older ones.',
    access: 'admin',
    input: z.strictObject({
      limit: z.coerce.number().int().min(1).max(200).default(50),
      cursor: z
        .string()
        .regex(/^\d{1,18}$/, 'must be the nextCursor of an earlier response')
        .optional(),
    }),
    output: z.object({ entries: z.array(auditEntrySchema), nextCursor: z.string().optional() }),
  },
} as const satisfies ApiOperations;
