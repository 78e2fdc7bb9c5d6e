import type { GuardrailChecks } from '@tallyport/contracts';
import { type Asking, combineAsking } from './asking.ts';

/** A webhook that decides about the texts of a request or an answer. */
export interface WebhookRule extends Asking {
  name: string;
}

/** One rule for each webhook, with the settings of all that name it. */
export function combineWebhooks(named: readonly NonNullable<GuardrailChecks['webhook']>[]): WebhookRule[] {
  const names = new Set(named.map(({ name }) => name));
  return [...names].map((name) => ({ name, ...combineAsking(named.filter((each) => each.name === name)) }));
}
