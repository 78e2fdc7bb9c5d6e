import type { Client, ExchangeHandler, Handlers } from '@tallyport/bus';
import type { authService, ledgerCalls, ledgerService } from '@tallyport/contracts';
import { ledgerPart } from '@tallyport/management';
import type { Manage } from '@tallyport/management-server';

// Replicas of the release before ask auth-svc for what ledger-svc answers now. The next release removes this file.

export type LedgerClient = Client<typeof ledgerService.operations>;

type PassedOn = Pick<Handlers<typeof authService.operations>, keyof typeof ledgerCalls | 'ownUsage'>;

export const passOnCalls = (ledger: LedgerClient): PassedOn => ({
  budgetsSpent: (input, { signal }) => ledger.budgetsSpent(input, { signal }),
  keepContents: (input, { signal }) => ledger.keepContents(input, { signal }),
  missingUsage: (input, { signal }) => ledger.missingUsage(input, { signal }),
  providerUptimes: (input, { signal }) => ledger.providerUptimes(input, { signal }),
  ownUsage: (exchange) => ledger.ownUsage(exchange),
});

/** Slightly less than pages wait. */
const manageMs = 24_000;

export const passOnManage =
  (ledger: LedgerClient, own: Manage): Manage =>
  (request) =>
    ledgerPart.has(request.operation) ? ledger.manage(request, { timeoutMs: manageMs }) : own(request);

/** A path of the management API, or the page that confirms an address for alerts. */
const paths = /^\/(?:api\/v1(?<path>\/[^?]*)|alert-addresses\/)/i;

function isServedByLedger(url: string): boolean {
  const found = paths.exec(url);
  const path = found?.groups?.['path'];
  return found !== null && (path === undefined || ledgerPart.matches(path));
}

export const passOnServe =
  (ledger: LedgerClient, own: ExchangeHandler): ExchangeHandler =>
  (exchange) =>
    isServedByLedger(exchange.head.http?.url ?? '') ? ledger.serve(exchange) : own(exchange);
