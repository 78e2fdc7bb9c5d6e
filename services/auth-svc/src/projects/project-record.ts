import type { Row } from '@tallyport/database';
import type { projectSchema } from '@tallyport/management';
import type { z } from 'zod';
import { storedLimits } from '../keys/stored-limits.ts';

export type ProjectRecord = z.infer<typeof projectSchema>;

/** The API form of a row: dates as strings, absent values omitted. */
export const projectRecord = (row: Row<'projects'>): ProjectRecord => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at.toISOString(),
  ...(row.allowed_tiers && { allowedTiers: row.allowed_tiers }),
  ...storedLimits(row),
});
