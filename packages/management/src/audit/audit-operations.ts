import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';

const auditEntrySchema = z.object({
  id: z.string(),
  at: z.string(),
  /** `user:…`, `key:…`, `oauth:…`, `identity:…` or `operator`. */
  actor: z.string(),
  action: z.string(),
  /** The address of the client; absent for commands. */
  address: z.string().optional(),
  /** The id of the changed object. */
  subject: z.string(),
  detail: z.unknown().optional(),
});

export type AuditRecord = z.infer<typeof auditEntrySchema>;

const time = z.iso.datetime({ offset: true });

const auditFilterSchema = z.strictObject({
  from: time.optional(),
  /** Exclusive. */
  to: time.optional(),
  /** The first part of the action: `session` finds `session.started` and `session.ended`. */
  kind: z
    .string()
    .regex(/^[a-z_]{1,40}$/, 'must be the first part of an action, such as key')
    .optional(),
  search: z.string().min(1).max(100).optional(),
});

export type AuditFilter = z.output<typeof auditFilterSchema>;

const auditQuerySchema = auditFilterSchema.extend({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  cursor: z
    .string()
    .regex(/^\d{1,18}$/, 'must be the nextCursor of an earlier response')
    .optional(),
});

/** Which entries to list. */
export type AuditQuery = z.output<typeof auditQuerySchema>;

export const auditOperations = {
  readAudit: {
    method: 'GET',
    path: '/audit',
    summary:
      'Lists the actions in the account, newest first, sign-ins included. search finds an id, the beginning of an address, or a part of the name of a member or key; pass nextCursor to read older entries.',
    access: 'admin',
    input: auditQuerySchema,
    output: z.object({
      entries: z.array(auditEntrySchema),
      /** What the ids in the entries are called: members, keys, projects and other objects of the account. */
      names: z.record(z.string(), z.string()).optional(),
      nextCursor: z.string().optional(),
    }),
  },
  exportAudit: {
    method: 'GET',
    path: '/audit/export',
    summary: 'Exports the actions in the account as CSV, newest first, with the filters of the list.',
    access: 'admin',
    input: auditFilterSchema,
    output: z.string(),
    contentType: 'text/csv; charset=utf-8',
  },
} as const satisfies ApiOperations;
