import { type Guardrails, newKeySchema } from '@tallyport/contracts';
import { z } from 'zod';
import { checkGuardrails } from '../../callers/guardrails.ts';
import { isHttpsOrThisMachine, issuerSchema } from '../document/issuer.ts';

const settings = newKeySchema.shape;

/** Which tokens of an issuer get a key, and what the key may do. */
export const workloadRule = z
  .strictObject({
    /** Part of the key's name in usage and limits. */
    id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must have at most 64 lower-case letters, digits and hyphens'),
    issuer: issuerSchema,
    audience: z.string().min(1).max(500),
    /** Where the issuer publishes its keys; by default its discovery document says it. */
    jwksUri: z.string().max(1000).refine(isHttpsOrThisMachine, 'must be an https address').optional(),
    /** A file with the issuer's keys, for issuers that cannot be reached. */
    jwksFile: z.string().min(1).optional(),
    /** The token's subject, exactly. */
    subject: z.string().min(1).max(200).optional(),
    /** Claims that the token must have; a list must contain the value. */
    claims: z.record(z.string().min(1).max(200), z.string().max(500)).optional(),
    account: z.string().min(1).max(100),
    /** A project of the account, by name or id, whose limits and budget also apply. */
    project: z.string().min(1).max(100).optional(),
    lifetimeSeconds: z.int().min(60).max(3600).default(600),
    allowedModels: settings.allowedModels,
    allowedProviders: settings.allowedProviders,
    allowedTiers: settings.allowedTiers,
    allowedMcpTools: settings.allowedMcpTools,
    allowedAddresses: settings.allowedAddresses,
    limits: settings.limits,
    budget: settings.budget,
    endUserBudget: settings.endUserBudget,
    cacheTtlSeconds: settings.cacheTtlSeconds,
    promptCaching: settings.promptCaching,
    guardrails: settings.guardrails.refine(areUsable, 'has a pattern that cannot be used'),
  })
  .refine(({ jwksUri, jwksFile }) => jwksUri === undefined || jwksFile === undefined, {
    path: ['jwksFile'],
    message: 'cannot be used together with jwksUri',
  })
  .refine(
    ({ subject, claims }) => subject !== undefined || Object.keys(claims ?? {}).length > 0,
    'must have a subject or claims, or every token of the issuer would fit',
  );

function areUsable(guardrails: Guardrails | null | undefined): boolean {
  try {
    checkGuardrails(guardrails);
    return true;
  } catch {
    return false;
  }
}
