import { type Kit, throttledLog } from '@tallyport/service-kit';
import type { FileError } from '@tallyport/wire/yaml';
import { checkEvents, type CheckEvents } from './recheck/check-events.ts';
import { placeEvents, type PlaceEvents } from './places/place-events.ts';

const signInOutcomes = [
  'signed_in',
  'expired',
  'refused',
  'unverified',
  'provider_away',
  'no_access',
  'no_email',
] as const;

type SignInOutcome = (typeof signInOutcomes)[number];

export interface IdentityEvents extends PlaceEvents, CheckEvents {
  identityLoaded(file: string): void;
  /** The previous document stays in force. */
  identityRefused(error: FileError): void;
  /** A person returned from an identity provider, or could not be sent there. `problem` is for the operator. */
  providerSignIn(outcome: SignInOutcome, provider: string, problem?: string): void;
  providerSignOut(outcome: 'accepted' | 'refused', provider: string, problem?: string): void;
  absentNotRemoved(error: unknown): void;
  workloadKeyIssued(rule: string, subject: string): void;
  workloadTokenRefused(problem: string): void;
}

/** Counts each event of identity providers and logs it once. Tokens and claims never appear. */
export function identityEvents({ log, metrics }: Pick<Kit, 'log' | 'metrics'>): IdentityEvents {
  const refused = metrics.gauge({
    name: 'gateway_identity_file_refused',
    help: '1 while the file of IDENTITY_CONFIG is invalid and its previous version is in force.',
  });
  const signIns = metrics.counter({
    name: 'gateway_provider_sign_ins_total',
    help: 'Sign-ins with an identity provider, by outcome.',
    labels: { outcome: signInOutcomes },
  });
  const signOuts = metrics.counter({
    name: 'gateway_provider_sign_outs_total',
    help: 'Logout tokens of identity providers, by outcome.',
    labels: { outcome: ['accepted', 'refused'] },
  });
  const exchanges = metrics.counter({
    name: 'gateway_token_exchanges_total',
    help: 'Tokens of workloads exchanged for keys, by outcome.',
    labels: { outcome: ['issued', 'refused'] },
  });
  const warn = throttledLog(log);
  return {
    ...placeEvents({ log, metrics }),
    ...checkEvents({ log, metrics }),
    identityLoaded(file) {
      refused.with().set(0);
      log.info({ file }, 'identity providers loaded');
    },
    identityRefused({ message }) {
      refused.with().set(1);
      log.error({ problem: message }, 'file of IDENTITY_CONFIG refused, keeping the last valid one');
    },
    providerSignIn(outcome, provider, problem) {
      signIns.with({ outcome }).increment();
      const line = { outcome, provider, ...(problem !== undefined && { problem }) };
      if (outcome === 'signed_in') log.info(line, 'signed in with an identity provider');
      else log.warn(line, 'sign-in with an identity provider failed');
    },
    providerSignOut(outcome, provider, problem) {
      signOuts.with({ outcome }).increment();
      const line = { outcome, provider, ...(problem !== undefined && { problem }) };
      if (outcome === 'accepted') log.info(line, 'signed out by an identity provider');
      else log.warn(line, 'logout token of an identity provider refused');
    },
    absentNotRemoved: (error) => log.warn({ error }, 'people who no longer sign in could not be removed'),
    workloadKeyIssued(rule, subject) {
      exchanges.with({ outcome: 'issued' }).increment();
      log.info({ rule, subject }, 'key issued for the token of a workload');
    },
    workloadTokenRefused(problem) {
      exchanges.with({ outcome: 'refused' }).increment();
      warn('exchange', { problem }, 'token of a workload refused');
    },
  };
}
