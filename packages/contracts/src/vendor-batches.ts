import { z } from 'zod';
import { principalSchema } from './principal.ts';

/** A batch at a vendor, or the place for one: the vendor, and which key reaches it. */
const vendorPlaceSchema = z.object({
  /** Whose own keys of vendors may be needed. */
  principal: principalSchema.pick({ accountId: true, keyId: true, providerKeys: true }),
  providerId: z.string(),
  /** As in a `batchedCall`. */
  key: z.string(),
});

export const vendorBatchSchema = vendorPlaceSchema.extend({ id: z.string() });

/** The first line of the body that opens a batch; each further line is one of the batch. */
export const vendorBatchOrderSchema = vendorPlaceSchema.extend({
  /** Unique; the ids of the lines begin with it. */
  name: z.string(),
  endpoint: z.string(),
});

export type VendorBatchOrder = z.infer<typeof vendorBatchOrderSchema>;

export const vendorBatchLineSchema = z.object({
  id: z.string(),
  /** JSON: of an order the request, of results the answer. Absent for a line that the vendor did not answer. */
  body: z.string().optional(),
});

export const lookedForBatchSchema = vendorPlaceSchema.extend({
  name: z.string(),
  /** When its opening began, and how much later the vendor may have opened it. */
  sinceMs: z.number(),
  longestMs: z.number(),
});

/**
 * `none`: the vendor has no such batch, and may be asked to open it again. `refused`: it does not take it. `unsure`: it may have one,
 * which can be looked for later.
 */
export const openedVendorBatchSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open'), id: z.string() }),
  z.object({ kind: z.literal('none') }),
  z.object({ kind: z.literal('refused') }),
  z.object({ kind: z.literal('unsure') }),
]);

export type OpenedBatchOfVendor = z.infer<typeof openedVendorBatchSchema>;
