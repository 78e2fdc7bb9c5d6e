import type { ApiKey } from '@tallyport/contracts';
import { type GatewayState, readState } from './gateway-state.ts';
import type { CallInAccount } from './call-in-account.ts';
import { planDocument } from './plan.ts';
import type { ReadGatewayDocument } from './read-gateway-document.ts';
import { type ReadSecret, resolveSecrets } from './resolve-secrets.ts';
import type { PlanStep } from './plan-step.ts';

interface PlanTools {
  manage: CallInAccount;
  readSecret: ReadSecret;
  /** Whether entries that are not in the document are deleted, in the sections that it manages. */
  prune: boolean;
  /** Keys that are never deleted, for example the one that makes the calls. */
  isProtected: (key: ApiKey) => boolean;
}

export interface PreparedPlan {
  steps: readonly PlanStep[];
  /** What exists but is not in the document, and stays. */
  kept: readonly PlanStep[];
  unchanged: number;
  /** The ids of existing accounts by their entry in the document. */
  accountIds: Map<string, string>;
}

/** Compares the document with the gateway. Throws FileError if it cannot be applied; nothing is changed. */
export async function preparePlan(
  { document, refusal }: ReadGatewayDocument,
  { manage, readSecret, prune, isProtected }: PlanTools,
): Promise<PreparedPlan> {
  const secrets = await resolveSecrets(document, readSecret);
  if (secrets.problems.length > 0) throw refusal(secrets.problems);
  const state = await readState(manage, document);
  const { steps, extra, unchanged, problems } = planDocument(document, state, {
    secrets: secrets.textOf,
    isProtected: (key) => key.id === bootstrapId || isProtected(key),
  });
  if (problems.length > 0) throw refusal(problems);
  return {
    steps: prune ? [...steps, ...extra] : steps,
    kept: prune ? [] : extra,
    unchanged,
    accountIds: idsOf(state),
  };
}

/** The key of BOOTSTRAP_API_KEY, which only its setting can change. */
const bootstrapId = 'bootstrap';

const idsOf = ({ accounts }: GatewayState) =>
  new Map([...accounts].map(([entry, { account }]) => [entry, account.id] as const));
