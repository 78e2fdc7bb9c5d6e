import { z } from 'zod';

const mostTags = 16;

/** How an operator marks an account, for the conditions of routes. */
export const accountTagsSchema = z
  .array(z.string().regex(/^[\w.-]{1,64}$/, 'must have 1 to 64 letters, digits, points, underscores or hyphens'))
  .min(1, 'must have a tag; null removes them')
  .max(mostTags, `must be ${mostTags} tags at most`)
  .refine((tags) => new Set(tags).size === tags.length, 'must have each tag once');
