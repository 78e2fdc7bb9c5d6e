import { knownBudgetSchema, knownLimitsSchema } from '@switchyard/contracts';
import type { Row } from '@switchyard/database';
import type { projectSchema } from '@switchyard/management';
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
