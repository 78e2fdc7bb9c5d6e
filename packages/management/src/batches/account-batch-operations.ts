import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';
import { batchDetailSchema, batchFiles, batchSchema } from './batch-record.ts';

const id = z.string().min(1).max(100);

/** Members see the batches of keys that they created, of OAuth clients that act for them, and of their projects; admins all of the account. */
export const accountBatchOperations = {
  listAccountBatches: {
    method: 'GET',
    path: '/batches',
    summary: 'Lists the batches that you may see, newest first; pass nextCursor to read on.',
    access: 'member',
    input: z.strictObject({ limit: z.coerce.number().int().min(1).max(100).default(50), cursor: id.optional() }),
    output: z.object({ batches: z.array(batchSchema), nextCursor: z.string().optional() }),
  },
  readAccountBatch: {
    method: 'GET',
    path: '/batches/{id}',
    summary: 'Returns a batch with its progress, the problems of its input, and the first hundred lines that failed.',
    access: 'member',
    input: z.strictObject({ id }),
    output: batchDetailSchema,
  },
  cancelAccountBatch: {
    method: 'POST',
    path: '/batches/{id}/cancel',
    summary: 'Cancels a batch. Lines that run are finished, and the results so far are written.',
    access: 'member',
    input: z.strictObject({ id }),
    output: batchSchema,
  },
  downloadBatchFile: {
    method: 'GET',
    path: '/batches/{id}/files/{file}',
    summary: 'Downloads the results of a batch that has ended: `output` or `errors`, a line of JSON for each.',
    access: 'member',
    input: z.strictObject({ id, file: z.enum(batchFiles) }),
    output: z.string(),
    contentType: 'application/jsonl; charset=utf-8',
  },
} as const satisfies ApiOperations;
