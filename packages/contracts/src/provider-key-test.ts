import { z } from 'zod';

export const providerKeyTestSchema = z.object({ provider: z.string(), key: z.string() });

/** Why a key did not work. `provider` means that the provider failed, which says nothing about the key. */
const providerKeyProblems = [
  'refused',
  'billing',
  'rate_limited',
  'model_not_found',
  'not_testable',
  'provider',
] as const;

export const providerKeyTestResultSchema = z.object({
  ok: z.boolean(),
  /** Absent if the key works. */
  problem: z.enum(providerKeyProblems).optional(),
  /** What was found, as a sentence. */
  message: z.string(),
  /** The model that was called; absent if none was. */
  model: z.string().optional(),
  durationMs: z.number().min(0),
});

export type ProviderKeyTest = z.infer<typeof providerKeyTestSchema>;
export type ProviderKeyTestResult = z.infer<typeof providerKeyTestResultSchema>;
export type ProviderKeyProblem = (typeof providerKeyProblems)[number];
