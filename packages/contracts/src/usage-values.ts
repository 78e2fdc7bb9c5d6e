import { z } from 'zod';

/** NUL is removed: Postgres rejects it in text, and one such record must not block its whole batch. */
export const usageText = z
  .string()
  .max(500)
  .overwrite((value) => value.replaceAll('\0', ''));
export const usageCount = z.int().min(0).max(1_000_000_000_000);
export const usageMilliseconds = z.number().min(0).max(1_000_000_000);
/** Dollars as decimal text, with up to 15 decimal places. */
export const usageMoney = z.string().regex(/^\d{1,12}(\.\d{1,15})?$/);

export const usageOperation = z.enum([
  'chat',
  'embeddings',
  'moderation',
  'speech',
  'transcription',
  'translation',
  'image_generation',
  'image_edit',
]);
export type UsageOperation = z.infer<typeof usageOperation>;

/** `reported` by the provider, `estimated` by us when it reported nothing, or `none` when nothing was used. */
export const usageSource = z.enum(['reported', 'estimated', 'none']);

/** `unpriced`: the catalogue lacks a price. `adjusted`: the provider's figures were implausible and were bounded. */
const usageFlag = z.enum(['unpriced', 'adjusted']);
export type UsageFlag = z.infer<typeof usageFlag>;

const isUsageFlag = (text: string): text is UsageFlag => usageFlag.options.some((flag) => flag === text);

/** Another version may know other flags: unknown ones are dropped. */
export const usageFlags = z.array(usageText).transform((flags) => flags.filter(isUsageFlag));

export const usageAttempts = z
  .array(
    z.object({
      provider: usageText,
      status: z.number().nullable(),
      error: usageText,
      ms: usageMilliseconds,
      /** The attempt used the account's own provider key. */
      ownKey: z.literal(true).optional(),
    }),
  )
  .max(100);
