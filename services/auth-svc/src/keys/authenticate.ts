import { type Caller, type Limits, knownLimitsSchema, type Principal } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import { contentLogOf } from '../contents/content-log-setting.ts';
import { keyChoice } from '../provider-keys/key-choice.ts';
import { budgetsOf } from './budgets-of.ts';
import { guardrailsOf } from './guardrails.ts';
import { findKey, type FoundKey } from './find-key.ts';

/** Returns the caller with this key; `null` if it is unknown, revoked or expired, or its account is suspended. */
export async function authenticate({ kysely }: Database, keyHash: string): Promise<Caller | null> {
  const key = await findKey(kysely, keyHash);
  return key === undefined ? null : callerOf(key);
}

/** The caller with a key, with the settings of the key, its project and its account. */
export function callerOf(key: FoundKey): Caller {
  const limits = limitsOf(key);
  return {
    principal: principalOf(key, limits),
    ...(key.endsAt && { expiresAt: key.endsAt.toISOString() }),
    ...(key.allowedAddresses && { allowedAddresses: key.allowedAddresses }),
    limits,
  };
}

function principalOf(found: FoundKey, limits: Caller['limits']): Principal {
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

function limitsOf(found: FoundKey): Caller['limits'] {
  const [key, project, account] = [found.limits, found.projectLimits, found.accountLimits].map(readLimits);
  return { ...(key && { key }), ...(project && { project }), ...(account && { account }) };
}

/** Stored values were validated on input; they are only invalid if the database was edited by hand. */
const readLimits = (stored: unknown): Limits | undefined =>
  stored === null ? undefined : knownLimitsSchema.parse(stored);
