import { z } from 'zod';

/** A provider and UTC days, both inclusive. The days beside them are reported as well. */
export const vendorUsageQuerySchema = z.object({
  provider: z.string(),
  from: z.iso.date(),
  to: z.iso.date(),
  /** Usage that this account paid itself, with its own provider keys; without it, usage of the installation's keys. */
  accountId: z.string().optional(),
});

export type VendorUsageQuery = z.infer<typeof vendorUsageQuerySchema>;

const money = z.string().max(60);
const count = z.number().min(0);

/** What the ledger recorded for one UTC day, model, class of cost and key of the provider. */
const ownUseSchema = z.object({
  day: z.string(),
  model: z.string(),
  billedClass: z.string(),
  /** The id of the account's own provider key; empty for keys of the installation. */
  keyId: z.string(),
  cost: money,
  /** Tokens or other units. */
  quantity: count,
  /** The part of `cost` from records whose usage was estimated. */
  estimated: money,
  /** The part of `quantity` from records without a known cost. */
  unpriced: count,
  /** The part of `cost` from requests that a vendor may have counted on the day before, or the day after. */
  fromDayBefore: money,
  toDayAfter: money,
});

export type OwnUse = z.infer<typeof ownUseSchema>;

/** What the ledger knows about all requests of a day and model. */
const ownDaySchema = z.object({
  day: z.string(),
  model: z.string(),
  requests: count,
  /** Calls that failed after the provider may have counted them. They have no usage. */
  failed: count,
  /** Requests with a class of usage that has no price. */
  unpriced: count,
  /** The service tiers that were billed. */
  tiers: z.array(z.string()),
});

export type OwnDay = z.infer<typeof ownDaySchema>;

/** The usage of one provider, to compare with its bill. */
export const vendorUsageSchema = z.object({ uses: z.array(ownUseSchema), days: z.array(ownDaySchema) });

export type VendorUsage = z.infer<typeof vendorUsageSchema>;
