import {
  applySteps,
  type CallInAccount,
  type PreparedPlan,
  preparePlan,
  type ReadGatewayDocument,
  type SecretReference,
  type PlanStep,
} from '@tallyport/gateway-document';
import { FileError } from '@tallyport/wire/yaml';

interface RoundOptions {
  manage: CallInAccount;
  readSecret(reference: SecretReference): Promise<string>;
  prune: boolean;
  onDone(step: PlanStep): void;
  signal: AbortSignal;
}

/** Less than the time after which the database ends a connection that holds a lock. */
const roundMs = 5_000;

/** Applies a part of the document that fits into one hold of the lock. Resolves with whether it is wholly applied. */
export async function applyRound(read: ReadGatewayDocument, options: RoundOptions): Promise<boolean> {
  const { manage, prune, readSecret, onDone, signal } = options;
  const plan = await preparePlan(read, { manage, readSecret, prune, isProtected: () => false });
  refuseLostSecrets(plan.steps);
  const endsAt = performance.now() + roundMs;
  for (const step of plan.steps) {
    if (signal.aborted || performance.now() > endsAt) return false;
    await applySteps([step], { manage, accountIds: plan.accountIds }, { onDone, onSecret: async () => {} });
  }
  return true;
}

/** The API returns these secrets once, and here no person reads them. An invitation can be sent again. */
function refuseLostSecrets(steps: PreparedPlan['steps']): void {
  const lost = steps.filter(({ returns }) => returns === 'key' || returns === 'oauth-client');
  if (lost.length === 0) return;
  throw new FileError(
    lost
      .slice(0, 10)
      .map(
        ({ account, subject, returns }) =>
          `${account}: ${subject} ${returns === 'key' ? 'needs `key: { fromFile: name }`' : 'has to be created with npm run apply'}: its secret would be lost.`,
      ),
  );
}
