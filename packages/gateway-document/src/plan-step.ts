import type { FileProblem } from '@tallyport/wire/yaml';
import type { CallInAccount } from './call-in-account.ts';

export interface SettingChange {
  name: string;
  from: unknown;
  to: unknown;
}

type SecretKind = 'key' | 'oauth-client' | 'invitation';

/** A secret that the API returns only once. */
export interface NewSecret {
  account: string;
  kind: SecretKind;
  name: string;
  text: string;
}

export interface StepContext {
  manage: CallInAccount;
  /** The ids of accounts by their entry in the document. A step that creates an account adds its id. */
  accountIds: Map<string, string>;
}

/** One call that brings the gateway closer to the document. */
export interface PlanStep {
  action: 'create' | 'change' | 'delete';
  /** The account's entry in the document. */
  account: string;
  /** For example `key "search"`. */
  subject: string;
  changes: readonly SettingChange[];
  /** The kind of secret that the call returns, if it returns one. */
  returns?: SecretKind;
  run(context: StepContext): Promise<NewSecret | undefined>;
}

/** What has to be done for one part of the document. */
export interface PartPlan {
  steps: readonly PlanStep[];
  /** The number of entries that are as the document says. */
  unchanged: number;
  /** What exists but is not in the document: deleted only on request. */
  extra: readonly PlanStep[];
  problems: readonly FileProblem[];
}

export const joinParts = (parts: readonly PartPlan[]): PartPlan => ({
  steps: parts.flatMap(({ steps }) => steps),
  unchanged: parts.reduce((sum, { unchanged }) => sum + unchanged, 0),
  extra: parts.flatMap(({ extra }) => extra),
  problems: parts.flatMap(({ problems }) => problems),
});

export const emptyPart: PartPlan = { steps: [], unchanged: 0, extra: [], problems: [] };
export const unchangedPart: PartPlan = { ...emptyPart, unchanged: 1 };
export const stepPart = (step: PlanStep): PartPlan => ({ ...emptyPart, steps: [step] });
export const problemPart = (path: readonly PropertyKey[], message: string): PartPlan => ({
  ...emptyPart,
  problems: [{ path, message }],
});
export const extraPart = (step: PlanStep): PartPlan => ({ ...emptyPart, extra: [step] });

/** The id of the account of a step. It exists by the time the step runs. */
export function accountIdOf({ accountIds }: StepContext, account: string): string {
  const id = accountIds.get(account);
  if (id === undefined) throw new TypeError(`The account ${account} has not been created.`);
  return id;
}
