import { usageRecord } from '../../services/ledger-svc/src/usage/testing/usage-record.ts';

/**
 * One of many records of fifty accounts, a thousand keys and 400 offers, some of which have most of them. Each key has this
 * many end users.
 */
export function ledgerRecord(n: number, endUsersOfKey = 0) {
  const key = Math.floor(1_000 * (((n * 7_919) % 10_007) / 10_007) ** 3);
  const offer = Math.floor(400 * (((key * 104_729 + (n % 3)) % 10_007) / 10_007) ** 2);
  const provider = `provider-${offer % 30}`;
  return usageRecord({
    at: new Date(Date.UTC(2026, 10, 10) + n * 400).toISOString(),
    accountId: n % 5 === 0 ? `account-${n % 50}` : 'account',
    keyId: `key-${key}`,
    model: `model-${Math.floor(offer / 3)}`,
    provider,
    attempts: [{ provider, status: 200, error: 'none', ms: 300 + (n % 997) }],
    durationMs: 300 + (n % 997),
    firstByteMs: 100 + (n % 97),
    stream: n % 2 === 0,
    ...(endUsersOfKey > 0 && { endUser: `user ${n % endUsersOfKey} of ${key}` }),
    ...(n % 5 !== 0 && key % 4 === 0 && { projectId: `project-${key % 30}` }),
  });
}
