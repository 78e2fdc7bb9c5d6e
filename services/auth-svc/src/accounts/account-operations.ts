import { budgetSchema, cacheTtlSchema, limitsSchema, nameSchema } from '@switchyard/contracts';
import { z } from 'zod';
import type { ApiOperations } from '../api/operation.ts';
import { emailSchema } from '../users/email.ts';
import { invitationSchema } from './invitation-operations.ts';

const providerKeyMode = z.enum(['own_first', 'own_only', 'service_only']);

export const accountSchema = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  suspendedAt: z.string().optional(),
  limits: limitsSchema.optional(),
  budget: budgetSchema.optional(),
  cacheTtlSeconds: cacheTtlSchema.optional(),
  providerKeyMode,
});

export type Account = z.infer<typeof accountSchema>;

/** What is left out stays, `null` takes it away. */
export const accountChangesSchema = z.strictObject({
  name: nameSchema.optional(),
  cacheTtlSeconds: cacheTtlSchema.nullish(),
  providerKeyMode: providerKeyMode.optional(),
  limits: limitsSchema.nullish(),
  budget: budgetSchema.nullish(),
});

export const accountOperations = {
  readAccount: {
    method: 'GET',
    path: '/account',
    summary: 'The account one acts in.',
    access: 'member',
    input: z.strictObject({}),
    output: accountSchema,
  },
  changeAccount: {
    method: 'PATCH',
    path: '/account',
    summary: 'Changes the account. Limits and budget are set by operators. What is left out stays, null takes it away.',
    access: 'owner',
    input: accountChangesSchema,
    output: accountSchema,
  },
  listAccounts: {
    method: 'GET',
    path: '/accounts',
    summary: 'All accounts, the oldest first.',
    access: 'operator',
    input: z.strictObject({}),
    output: z.object({ accounts: z.array(accountSchema) }),
  },
  createAccount: {
    method: 'POST',
    path: '/accounts',
    summary: 'Makes an account, with an invitation for its first owner where an e-mail address is given.',
    access: 'operator',
    input: z.strictObject({ name: nameSchema, ownerEmail: emailSchema.optional() }),
    output: z.object({ account: accountSchema, invitation: invitationSchema.optional() }),
    status: 201,
    example: { summary: 'An account and its first owner', value: { name: 'Search', ownerEmail: 'ada@example.com' } },
  },
  changeAnyAccount: {
    method: 'PATCH',
    path: '/accounts/{id}',
    summary: 'Changes any account. A suspended one and all its keys are refused everywhere within a second.',
    access: 'operator',
    input: accountChangesSchema.extend({ id: z.string().min(1).max(100), suspended: z.boolean().optional() }),
    output: accountSchema,
  },
} as const satisfies ApiOperations;
