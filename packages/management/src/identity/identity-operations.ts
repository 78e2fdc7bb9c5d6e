import { roleSchema } from '@tallyport/contracts';
import { z } from 'zod';
import { projectRoleSchema } from '../projects/project-operations.ts';
import type { ApiOperations } from '../operation.ts';

const providerSchema = z.object({
  id: z.string(),
  name: z.string(),
  issuer: z.string(),
  clientId: z.string(),
  scopes: z.array(z.string()),
  linkVerifiedEmail: z.boolean(),
  sessionHours: z.number(),
  /** How often the provider is asked whether people are still there; 0 for never. */
  recheckMinutes: z.number().optional(),
  /** How long sessions continue while the provider does not answer. */
  recheckGraceMinutes: z.number().optional(),
  removeAfterDays: z.number().optional(),
  /** Who gets which role in which account. */
  access: z.array(
    z.object({
      claim: z.string().optional(),
      value: z.string().optional(),
      everyone: z.literal(true).optional(),
      account: z.string(),
      role: roleSchema,
      /** The name or id of a project of the account, and the role there. */
      project: z.string().optional(),
      projectRole: projectRoleSchema.optional(),
    }),
  ),
});

const workloadSchema = z.object({
  id: z.string(),
  issuer: z.string(),
  audience: z.string(),
  subject: z.string().optional(),
  claims: z.record(z.string(), z.string()).optional(),
  account: z.string(),
  /** The name or id of the project whose limits and budget also apply. */
  project: z.string().optional(),
  lifetimeSeconds: z.number(),
  allowedModels: z.array(z.string()).nullish(),
  allowedProviders: z.array(z.string()).nullish(),
  allowedTiers: z.array(z.string()).nullish(),
});

export type ShownIdentityProvider = z.infer<typeof providerSchema>;
export type ShownWorkload = z.infer<typeof workloadSchema>;

/** The document is a file of the operator, so the API only shows what is in force. */
export const identityOperations = {
  readIdentity: {
    method: 'GET',
    path: '/identity',
    summary:
      'Returns the identity providers, their access rules and the rules for workloads in force, without secrets.',
    access: 'operator',
    input: z.strictObject({}),
    output: z.object({
      passwords: z.enum(['on', 'off']),
      providers: z.array(providerSchema),
      workloads: z.array(workloadSchema),
      /** Why rules have no effect: accounts and projects that do not exist. */
      problems: z.array(z.string()).default([]),
    }),
  },
} as const satisfies ApiOperations;
