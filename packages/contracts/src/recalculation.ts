import { z } from 'zod';

const position = z.object({ at: z.string(), id: z.string() });

/** A day of the ledger, to be priced with another version of the catalogue. */
export const recalculationQuerySchema = z.object({
  day: z.iso.date(),
  /** Of all accounts when absent. */
  accountId: z.string().optional(),
  /** The version in force when absent. */
  version: z.string().optional(),
  /** Where the previous answer ended. */
  after: position.optional(),
});

export type RecalculationQuery = z.infer<typeof recalculationQuerySchema>;

const recalculatedSumSchema = z.object({
  model: z.string(),
  provider: z.string(),
  /**
   * A class of costs; `unpriced` for requests for which the other version lacks a price; `all` where only the sums of a
   * day are left, which have no costs by class.
   */
  class: z.string(),
  requests: z.number(),
  /** Dollars as decimal text. */
  booked: z.string(),
  recalculated: z.string(),
});

export type RecalculatedSum = z.infer<typeof recalculatedSumSchema>;

export const recalculationSchema = z.object({
  version: z.string(),
  /**
   * `sums` if the records of the day are deleted: long prompts, service tiers, places and costs of vendors are then
   * unknown.
   */
  basis: z.enum(['records', 'sums']),
  sums: z.array(recalculatedSumSchema),
  /** Absent at the end of the day. */
  next: position.optional(),
});

export type Recalculation = z.infer<typeof recalculationSchema>;
