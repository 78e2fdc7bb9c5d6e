import {
  type Caller,
  type Limits,
  knownLimitsSchema,
  knownScoreWeightsSchema,
  type Principal,
  type PromptCaching,
} from '@tallyport/contracts';
import type { AccountTerms } from './account-terms.ts';
import { budgetsOf, endUserBudgetsOf } from './budgets-of.ts';
import { contentLogOf } from './content-log-setting.ts';
import { guardrailsOf } from './guardrails.ts';
import { keyChoice } from './key-choice.ts';

/** What counts for a caller: its key, the project of the key, and the account. */
export interface CallerTerms extends AccountTerms {
  id: string;
  accountId: string;
  projectId: string | null;
  /** When this version of the key stops working: at the key's expiry, or earlier if it was rotated. */
  endsAt: Date | undefined;
  allowedModels: string[] | null;
  allowedProviders: string[] | null;
  allowedTiers: string[] | null;
  allowedMcpTools: string[] | null;
  allowedAddresses: string[] | null;
  limits: unknown;
  budget: unknown;
  endUserBudget: unknown;
  cacheTtlSeconds: number | null;
  promptCaching: PromptCaching | null;
  guardrails: unknown;
  projectAllowedTiers: string[] | null;
  projectLimits: unknown;
  projectBudget: unknown;
  projectEndUserBudget: unknown;
}

/** The terms of a caller without a key of its own: those of its account. */
export const termsWithoutKey = (caller: { id: string; accountId: string; endsAt?: Date }, terms: AccountTerms) =>
  ({
    ...terms,
    ...caller,
    projectId: null,
    endsAt: caller.endsAt,
    allowedModels: null,
    allowedProviders: null,
    allowedTiers: null,
    allowedMcpTools: null,
    allowedAddresses: null,
    limits: null,
    budget: null,
    endUserBudget: null,
    cacheTtlSeconds: null,
    promptCaching: null,
    guardrails: null,
    projectAllowedTiers: null,
    projectLimits: null,
    projectBudget: null,
    projectEndUserBudget: null,
  }) satisfies CallerTerms;

/** The one place that makes a principal. */
export function callerOf(terms: CallerTerms): Caller {
  const limits = limitsOf(terms);
  return {
    principal: principalOf(terms, limits),
    ...(terms.endsAt && { expiresAt: terms.endsAt.toISOString() }),
    ...(terms.allowedAddresses && { allowedAddresses: terms.allowedAddresses }),
    limits,
  };
}

function principalOf(found: CallerTerms, limits: Caller['limits']): Principal {
  const { id, accountId, projectId, allowedModels, allowedProviders, allowedMcpTools } = found;
  const allowedTiers = allowedByBoth(found.allowedTiers, found.projectAllowedTiers);
  const cacheTtlSeconds = found.cacheTtlSeconds ?? found.accountCacheTtlSeconds;
  const promptCaching = found.promptCaching ?? found.accountPromptCaching;
  return {
    accountId,
    ...allOfAccount(found),
    keyId: id,
    ...(projectId !== null && { projectId }),
    ...(allowedModels && { allowedModels }),
    ...(allowedProviders && { allowedProviders }),
    ...(allowedTiers && { allowedTiers }),
    ...(allowedMcpTools && { allowedMcpTools }),
    ...tokensPerMinuteOf(limits),
    ...budgetsOf({ key: found.budget, project: found.projectBudget, account: found.accountBudget }),
    ...endUserBudgetsOf({ key: found.endUserBudget, project: found.projectEndUserBudget }),
    ...keyChoice(found.providerKeyMode, found.hasProviderKeys),
    ...(cacheTtlSeconds !== null && { cacheTtlSeconds }),
    ...(promptCaching === 'auto' && { promptCaching }),
    ...guardrailsOf(found.accountGuardrails, found.guardrails),
    ...contentLogOf(found.accountContentLog),
  };
}

/** What all callers of the account have. */
const allOfAccount = ({ accountTags, accountScoreWeights: weights, hasMcpServers, routesVersion }: AccountTerms) => ({
  ...(accountTags && { accountTags }),
  ...(weights !== null && { scoreWeights: knownScoreWeightsSchema.parse(weights) }),
  ...(hasMcpServers && { mcpServers: true }),
  ...(routesVersion !== null && { routesVersion }),
});

/** What a key and its project both allow; `null` allows everything. */
function allowedByBoth(key: string[] | null, project: string[] | null): string[] | null {
  if (key === null || project === null) return key ?? project;
  return key.filter((each) => project.includes(each));
}

function tokensPerMinuteOf(limits: Caller['limits']): Pick<Principal, 'tokensPerMinute'> {
  const key = limits.key?.tokensPerMinute;
  const project = limits.project?.tokensPerMinute;
  const account = limits.account?.tokensPerMinute;
  if (key === undefined && project === undefined && account === undefined) return {};
  return {
    tokensPerMinute: {
      ...(key !== undefined && { key }),
      ...(project !== undefined && { project }),
      ...(account !== undefined && { account }),
    },
  };
}

function limitsOf(found: CallerTerms): Caller['limits'] {
  const [key, project, account] = [found.limits, found.projectLimits, found.accountLimits].map(readLimits);
  return { ...(key && { key }), ...(project && { project }), ...(account && { account }) };
}

/** Stored values were validated on input; they are only invalid if the database was edited by hand. */
const readLimits = (stored: unknown): Limits | undefined =>
  stored === null ? undefined : knownLimitsSchema.parse(stored);
