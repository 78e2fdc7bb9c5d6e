import { z } from 'zod';

/** Small letters throughout: nobody owns `Ann@` beside `ann@`. */
export const emailSchema = z
  .string('must be an e-mail address')
  .trim()
  .toLowerCase()
  .max(254, 'must be at most 254 characters')
  .pipe(z.email('must be an e-mail address'));
