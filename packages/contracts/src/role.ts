import { z } from 'zod';

/** The role of a member in an account. */
export const roleSchema = z.enum(['owner', 'admin', 'member']);

export type Role = z.infer<typeof roleSchema>;
