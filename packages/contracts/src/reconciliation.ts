import { z } from 'zod';

/** Why the ledger and a bill differ, in the order in which reasons are looked for. */
export const differenceReasons = [
  'outside_gateway',
  'other_day',
  'rounding',
  'unpriced',
  'unknown_tier',
  'other_price',
  'failed_after_count',
  'estimated',
  'unexplained',
] as const;

export type DifferenceReason = (typeof differenceReasons)[number];

/** USD as decimal text; differences may be negative. */
const amount = z
  .string()
  .max(60)
  .regex(/^-?\d+(\.\d+)?$/);

const compared = {
  ours: amount,
  theirs: amount,
  /** `theirs` less `ours`. */
  difference: amount,
  /** Why, with the amount of each reason; their sum is the difference. */
  reasons: z.record(z.string().max(40), amount),
};

/** The longest name of a vendor, model, class or key. */
export const longestComparedName = 500;
const name = z.string().max(longestComparedName);

/** Few enough for one message of the command, also in bytes. */
export const mostComparedRows = 100;
export const mostComparedBytes = 48 * 1024;

/** The result of comparing the ledger with the bill of a vendor. */
export const reconciliationSchema = z.object({
  /** The id of the provider. */
  vendor: name,
  from: z.iso.date(),
  to: z.iso.date(),
  ...compared,
  /** The differences of the models, each without its sign, as a part of the larger sum. */
  ratio: z.number().min(0),
  /** The rows with the largest differences. */
  rows: z
    .array(z.object({ day: z.string().max(10), model: name, billedClass: name, key: name, ...compared }))
    .max(mostComparedRows),
});

export type Reconciliation = z.infer<typeof reconciliationSchema>;
