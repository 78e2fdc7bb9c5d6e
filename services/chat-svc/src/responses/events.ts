import type { Kit } from '@tallyport/service-kit';
import type { KeepResult } from './stored-responses.ts';

const results = ['stored', 'too_large', 'account_full', 'unavailable'] as const satisfies KeepResult[];

export interface StoringEvents {
  /** A response that was to be stored has ended. */
  ended(result: KeepResult): void;
}

export function storingEvents({ metrics }: Pick<Kit, 'metrics'>): StoringEvents {
  const responses = metrics.counter({
    name: 'gateway_responses_stored_total',
    help: 'Responses of /v1/responses that were to be stored: stored, too large, beyond the quota of their account, or not stored because the store is unavailable.',
    labels: { result: results },
  });
  return { ended: (result) => responses.with({ result }).increment() };
}
