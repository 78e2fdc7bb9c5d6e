import { deletionStep } from './call-step.ts';
import { extraPart, type PartPlan } from './plan-step.ts';

interface NamedThings {
  /** The account's entry in the document. */
  account: string;
  /** Those of the document, by name. */
  entry: object;
  existing: readonly { id: string; name: string }[];
  subjectOf(name: string): string;
}

type Deletion = 'deleteAlert' | 'deleteGuardWebhook' | 'deleteMcpServer' | 'deleteOAuthClient' | 'deleteProject';

/** The deletion of what exists and is not in the document, by name. */
export const unlistedParts = ({ account, entry, existing, subjectOf }: NamedThings, operation: Deletion): PartPlan[] =>
  existing
    .filter(({ name }) => !Object.hasOwn(entry, name))
    .map(({ id, name }) => extraPart(deletionStep({ account, subject: subjectOf(name) }, operation, () => ({ id }))));
