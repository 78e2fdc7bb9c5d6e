import { z } from 'zod';
import { count } from '../count.ts';

/** The states of a batch, in their order. */
const batchStates = [
  'validating',
  'in_progress',
  'finalizing',
  'cancelling',
  'completed',
  'failed',
  'expired',
  'cancelled',
] as const;

/** The files of results: `output` has the lines that were answered, `errors` the others. `/v1/messages/batches` has one for all. */
export const batchFiles = ['output', 'errors'] as const;

export const batchSchema = z.object({
  id: z.string(),
  /** Whose clients read it: `/v1/batches` or `/v1/messages/batches`. */
  api: z.enum(['batches', 'messages']),
  /** The endpoint that answers its lines. */
  endpoint: z.string(),
  state: z.enum(batchStates),
  /** The model of its first line. */
  model: z.string().optional(),
  keyId: z.string(),
  projectId: z.string().optional(),
  /** `completed` lines were answered, `failed` ones were not. `total` is 0 until the input was read. */
  lines: z.object({ total: count, completed: count, failed: count }),
  /** In USD, of the lines that have ended. */
  cost: z.string(),
  /** Who has answered its lines: in a batch of the vendor, at its lower price, or as requests. Amounts are in USD. */
  answeredBy: z.array(
    z.object({
      provider: z.string(),
      price: z.enum(['batch', 'standard']),
      lines: count,
      cost: z.string(),
      /** How much less than as requests, by the catalogue. */
      saved: z.string(),
    }),
  ),
  /** In USD: what all lines may cost at most. Absent until the input was read. */
  estimatedCost: z.string().optional(),
  /** In USD: what the lines that have not ended may cost, which its budgets hold. Absent until the input was read. */
  reserved: z.string().optional(),
  createdAt: z.string(),
  /** Lines run since then. */
  startedAt: z.string().optional(),
  endedAt: z.string().optional(),
  /** When lines that have not ended expire. */
  expiresAt: z.string(),
  /** When all lines will have ended, at the pace so far. Absent before there is one. */
  estimatedEndAt: z.string().optional(),
  /** The files that can be downloaded. */
  files: z.array(z.enum(batchFiles)),
});

export type Batch = z.infer<typeof batchSchema>;

const batchProblemSchema = z.object({
  code: z.string(),
  message: z.string(),
  /** Of the input, from 1. */
  line: count.optional(),
  param: z.string().optional(),
});

const failedLineSchema = z.object({
  customId: z.string(),
  /** The HTTP status of the answer. */
  status: z.int(),
  message: z.string(),
});

export const batchDetailSchema = batchSchema.extend({
  /** Why its input was refused, or why the gateway ended it. */
  problems: z.array(batchProblemSchema),
  /** The first lines that failed. */
  failedLines: z.array(failedLineSchema),
});

export type BatchDetail = z.infer<typeof batchDetailSchema>;
