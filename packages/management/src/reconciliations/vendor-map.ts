import { z } from 'zod';

const name = z.string().min(1).max(300);
const names = z.record(name, z.string().max(300));

const columnsSchema = z.strictObject({
  /** Begins with a day, such as `2026-11-26` or `2026-11-26T00:00:00Z`. */
  day: name,
  /** In USD. */
  amount: name,
  model: name.optional(),
  class: name.optional(),
  key: name.optional(),
  quantity: name.optional(),
  currency: name.optional(),
});

/** The names in a vendor's bill. */
export const vendorMapSchema = z.strictObject({
  columns: columnsSchema.optional(),
  /** Only rows in which each of these columns has one of these values. */
  only: z.record(name, z.array(z.string().max(300)).min(1).max(100)).optional(),
  /** The vendor's id of a key → our id of the provider key, or empty text for a key of the installation. */
  keys: names.optional(),
  /** The vendor's name of a model → ours. */
  models: names.optional(),
  /** The vendor's name of a class → ours, such as `input` or `output`. */
  classes: names.optional(),
});

export type VendorMap = z.infer<typeof vendorMapSchema>;
