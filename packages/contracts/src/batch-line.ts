import { z } from 'zod';

/** The batch that a request is a line of. */
export const lineOfBatchSchema = z.object({
  id: z.string(),
  /** Counted from 1. */
  line: z.number(),
  /**
   * The time of records that may be written twice, because a replica may die before its answer is known: of refusals, and of what a
   * vendor's batch has answered. It is the same whenever the line is sent again.
   */
  recordAt: z.iso.datetime().optional(),
  /** The answer may be a `batchedCall` with the status `batchedStatus`, which a batch of its vendor is to make. */
  mayDefer: z.literal(true).optional(),
  /** A vendor's batch has made the call: its answer follows the body, in so many bytes. */
  answered: z.object({ providerId: z.string(), model: z.string(), key: z.string(), bytes: z.number() }).optional(),
});

export type LineOfBatch = z.infer<typeof lineOfBatchSchema>;

export const batchedStatus = 202;

/** A call of a request that a batch of its vendor can make. Those with the same members except `body` can be in one batch. */
export const batchedCallSchema = z.object({
  providerId: z.string(),
  /** Names the key of the vendor that it would be sent with. */
  key: z.string(),
  /** The vendor's name. */
  model: z.string(),
  /** As the vendor names it in a batch. */
  endpoint: z.string(),
  /** JSON. */
  body: z.string(),
});

export type BatchedCall = z.infer<typeof batchedCallSchema>;
