import {
  accountTagsSchema,
  budgetSchema,
  cacheTtlSchema,
  contentLogSchema,
  guardrailsSchema,
  knownContentLogSchema,
  knownGuardrailsSchema,
  knownScoreWeightsSchema,
  limitsSchema,
  nameSchema,
  promptCachingSchema,
  scoreWeightsSchema,
} from '@tallyport/contracts';
import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';
import { emailSchema } from '../users/email.ts';
import { invitationSchema } from './invitation-operations.ts';

const providerKeyMode = z.enum(['own_first', 'own_only', 'service_only']);

export const accountSchema = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  suspendedAt: z.string().optional(),
  /** For the conditions of routes. */
  tags: z.array(z.string()).optional(),
  limits: limitsSchema.optional(),
  budget: budgetSchema.optional(),
  cacheTtlSeconds: cacheTtlSchema.optional(),
  promptCaching: promptCachingSchema.optional(),
  /** Absent where the weights of the operator count. */
  scoreWeights: knownScoreWeightsSchema.optional(),
  guardrails: knownGuardrailsSchema.optional(),
  /** Set if prompts and answers are kept. */
  contentLog: knownContentLogSchema.optional(),
  providerKeyMode,
});

export type Account = z.infer<typeof accountSchema>;

/** Omitted members stay unchanged; `null` removes a value. */
export const accountChangesSchema = z.strictObject({
  name: nameSchema.optional(),
  tags: accountTagsSchema.nullish(),
  cacheTtlSeconds: cacheTtlSchema.nullish(),
  promptCaching: promptCachingSchema.nullish(),
  scoreWeights: scoreWeightsSchema.nullish(),
  providerKeyMode: providerKeyMode.optional(),
  limits: limitsSchema.nullish(),
  budget: budgetSchema.nullish(),
  guardrails: guardrailsSchema.nullish(),
  /** Only where the installation has LOG_CONTENT. */
  contentLog: contentLogSchema.nullish(),
});

export const accountOperations = {
  readAccount: {
    method: 'GET',
    path: '/account',
    summary: 'Returns the current account.',
    access: 'member',
    input: z.strictObject({}),
    output: accountSchema,
  },
  changeAccount: {
    method: 'PATCH',
    path: '/account',
    summary:
      'Changes the account. Omitted members stay unchanged, null removes a value; name, tags, limits and budget can only be set by operators.',
    access: 'owner',
    input: accountChangesSchema,
    output: accountSchema,
  },
  listAccounts: {
    method: 'GET',
    path: '/accounts',
    summary: 'Lists all accounts, oldest first.',
    access: 'operator',
    input: z.strictObject({}),
    output: z.object({ accounts: z.array(accountSchema) }),
  },
  createAccount: {
    method: 'POST',
    path: '/accounts',
    summary: 'Creates an account. With an e-mail address, also invites its first owner.',
    access: 'operator',
    input: z.strictObject({ name: nameSchema, ownerEmail: emailSchema.optional() }),
    output: z.object({ account: accountSchema, invitation: invitationSchema.optional() }),
    status: 201,
    example: { summary: 'An account and its first owner', value: { name: 'Search', ownerEmail: 'ada@example.com' } },
  },
  changeAnyAccount: {
    method: 'PATCH',
    path: '/accounts/{id}',
    summary: 'Changes any account. If it is suspended, all its keys are refused everywhere within a second.',
    access: 'operator',
    input: accountChangesSchema.extend({ id: z.string().min(1).max(100), suspended: z.boolean().optional() }),
    output: accountSchema,
  },
} as const satisfies ApiOperations;
