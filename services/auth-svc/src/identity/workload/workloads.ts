import type { Caller } from '@tallyport/contracts';
import type { Database } from '@tallyport/database';
import type { Attempts } from '@tallyport/management-server';
import { callerOf } from '../../callers/caller-of.ts';
import type { Identity } from '../document/read-identity.ts';
import type { IdentityEvents } from '../events.ts';
import { exchangeToken, TokenNotAccepted, type WorkloadKey } from './exchange-token.ts';
import { findWorkloadKey } from './find-workload-key.ts';
import { createIssuerKeys } from './issuer-keys.ts';

interface Workloads {
  /** Returns a key for the token; `undefined` if no rule accepts it. The log has the reason. */
  exchange(token: string): Promise<WorkloadKey | undefined>;
  /** Finds the caller with a key that was exchanged; `null` if it is not valid. */
  findCaller(keyHash: string): Promise<Caller | null>;
}

interface WorkloadsTools {
  database: Database;
  identity(): Identity;
  attempts: Pick<Attempts, 'count'>;
  events: Pick<IdentityEvents, 'workloadKeyIssued' | 'workloadTokenRefused'>;
}

/** Programs that get keys in exchange for tokens of their platform. */
export function createWorkloads({ database, identity, attempts, events }: WorkloadsTools): Workloads {
  const countKey = (subject: string) => attempts.count('workload_key', subject);
  const needs = { database, identity, keysOf: createIssuerKeys(), countKey };
  return {
    async exchange(token) {
      try {
        const { rule, subject, ...key } = await exchangeToken(needs, token);
        events.workloadKeyIssued(rule, subject);
        return key;
      } catch (error) {
        if (!(error instanceof TokenNotAccepted)) throw error;
        events.workloadTokenRefused(error.message);
        return undefined;
      }
    },
    async findCaller(keyHash) {
      const key = await findWorkloadKey(database, { keyHash, identity: identity() });
      return key === undefined ? null : callerOf(key);
    },
  };
}

/** The accounts whose callers must be looked up again after the rules have changed. */
export const accountsOfWorkloads = (...identities: readonly Identity[]): ReadonlySet<string> =>
  new Set(identities.flatMap(({ workloads }) => workloads.map(({ account }) => account)));
