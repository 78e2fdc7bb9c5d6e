import { z } from 'zod';
import { knownBudgetSchema } from './budget.ts';
import { knownGuardrailsSchema } from './guardrails.ts';
import { promptCachingSchema } from './prompt-caching.ts';
import { knownScoreWeightsSchema } from './score-weights.ts';

/** The caller of a request. Only auth-svc creates one, from a key; every exchange carries it. */
export const principalSchema = z.object({
  accountId: z.string(),
  /** What the operator marks the account with. */
  accountTags: z.array(z.string()).optional(),
  keyId: z.string(),
  /** The project of the key; absent for keys outside projects. */
  projectId: z.string().optional(),
  /** The models and providers this key may use, by id; absent means all. */
  allowedModels: z.array(z.string()).optional(),
  allowedProviders: z.array(z.string()).optional(),
  /** The service tiers besides the standard one that its requests may ask for; absent means all. */
  allowedTiers: z.array(z.string()).optional(),
  /** Whether the account has registered MCP servers, so that their tools are looked up. */
  mcpServers: z.boolean().optional(),
  /** The registered MCP servers (`docs`) and single tools (`docs__search`) this key may use; absent means all. */
  allowedMcpTools: z.array(z.string()).optional(),
  /** Set when the account has its own provider keys: whether to use these, the operator's, or both in order. */
  providerKeys: z.enum(['own_first', 'own_only', 'service_only']).optional(),
  /** Prompt and answer together; 0 means no limit, absent means the operator's default. */
  tokensPerMinute: z
    .object({ key: z.number().optional(), project: z.number().optional(), account: z.number().optional() })
    .optional(),
  /** Absent where spending is not limited. */
  budgets: z
    .object({
      key: knownBudgetSchema.optional(),
      project: knownBudgetSchema.optional(),
      account: knownBudgetSchema.optional(),
    })
    .optional(),
  /** The budgets that the key and the project give to each of their end users. */
  endUserBudgets: z.object({ key: knownBudgetSchema.optional(), project: knownBudgetSchema.optional() }).optional(),
  /** Set when the account has routes: the version under which they are asked for and kept. */
  routesVersion: z.string().optional(),
  /** How the account weighs the factors of a score; absent means as the operator does. */
  scoreWeights: knownScoreWeightsSchema.optional(),
  /** How long its answers may be served from the cache; 0 means never, absent means the operator's default. */
  cacheTtlSeconds: z.number().optional(),
  /** Whether prompts are marked for the caches of vendors that cache only what is marked; absent means off. */
  promptCaching: promptCachingSchema.optional(),
  /** Of the account and of the key; all of them apply. Absent where nothing is forbidden. */
  guardrails: z.array(knownGuardrailsSchema).optional(),
  /** Set if the account keeps its prompts and answers: the most of each, in bytes. */
  contentLog: z.object({ maxBytes: z.number() }).optional(),
});

export type Principal = z.infer<typeof principalSchema>;
