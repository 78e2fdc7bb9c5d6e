import { z } from 'zod';

/** Lower-cased, so that `Ann@` and `ann@` are the same address. */
export const emailSchema = z
  .string('must be an e-mail address')
  .trim()
  .toLowerCase()
  .max(254, 'must have at most 254 characters')
  .pipe(z.email('must be an e-mail address'));
