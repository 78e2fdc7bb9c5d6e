import type { GatewayError } from '@tallyport/contracts';
import type { Kit } from '@tallyport/service-kit';
import { usageEvents, type UsageEvents } from './usage/events.ts';

export interface LedgerEvents extends UsageEvents {
  databaseAwaited(error: unknown): void;
  usesNotRecorded(error: unknown): void;
  contentsNotSwept(error: unknown): void;
  differencesNotShown(error: unknown): void;
  pageFailed(error: GatewayError, route: string): void;
}

/** Counts each event of ledger-svc and logs it once. */
export function ledgerEvents({ log, metrics }: Kit<unknown>): LedgerEvents {
  return {
    ...usageEvents({ log, metrics }),
    databaseAwaited: (error) => log.warn({ error }, 'the database is not reachable; trying again'),
    usesNotRecorded: (error) => log.warn({ error }, 'the last use of provider keys could not be recorded'),
    contentsNotSwept: (error) => log.warn({ error }, 'expired prompts and answers could not be removed'),
    differencesNotShown: (error) => log.warn({ error }, 'the differences from bills could not be read'),
    pageFailed: (error, route) => log.error({ error, route }, 'page failed'),
  };
}
