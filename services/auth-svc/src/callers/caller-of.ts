import { type Caller, type Limits, knownLimitsSchema, type Principal } from '@tallyport/contracts';
import type { AccountTerms } from './account-terms.ts';
import { budgetsOf } from './budgets-of.ts';
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
  allowedMcpTools: string[] | null;
  allowedAddresses: string[] | null;
  limits: unknown;
  budget: unknown;
  cacheTtlSeconds: number | null;
  guardrails: unknown;
  projectLimits: unknown;
  projectBudget: unknown;
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
    allowedMcpTools: null,
    allowedAddresses: null,
    limits: null,
    budget: null,
    cacheTtlSeconds: null,
    guardrails: null,
    projectLimits: null,
    projectBudget: null,
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
  const cacheTtlSeconds = found.cacheTtlSeconds ?? found.accountCacheTtlSeconds;
  return {
    accountId,
    keyId: id,
    ...(projectId !== null && { projectId }),
    ...(allowedModels && { allowedModels }),
    ...(allowedProviders && { allowedProviders }),
    ...(allowedMcpTools && { allowedMcpTools }),
    ...(found.hasMcpServers && { mcpServers: true }),
    ...tokensPerMinuteOf(limits),
    ...budgetsOf({ key: found.budget, project: found.projectBudget, account: found.accountBudget }),
    ...keyChoice(found.providerKeyMode, found.hasProviderKeys),
    ...(cacheTtlSeconds !== null && { cacheTtlSeconds }),
    ...guardrailsOf(found.accountGuardrails, found.guardrails),
    ...contentLogOf(found.accountContentLog),
  };
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
