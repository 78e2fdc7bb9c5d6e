import { knownBudgetSchema, knownLimitsSchema } from '@tallyport/contracts';
import type { Row } from '@tallyport/database';
import type { projectSchema } from '@tallyport/management';
import type { z } from 'zod';

export type ProjectRecord = z.infer<typeof projectSchema>;

/** The API form of a row: dates as strings, absent values omitted. */
export const projectRecord = (row: Row<'projects'>): ProjectRecord => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at.toISOString(),
  ...(row.limits !== null && { limits: knownLimitsSchema.parse(row.limits) }),
  ...(row.budget !== null && { budget: knownBudgetSchema.parse(row.budget) }),
});
