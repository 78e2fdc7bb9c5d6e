import type { UsageRecord } from '@tallyport/contracts';
import { sql } from '@tallyport/database';
import { openMemoryStore, type Store } from '@tallyport/store';
import { type ApiCaller, createAttempts } from '@tallyport/management-server';
import { createLedger } from '../../usage/keep-ledger.ts';
import { silentLedger } from '../../usage/testing/silent-ledger.ts';
import { usageRecord } from '../../usage/testing/usage-record.ts';
import type { OpenedWithSecrets } from '../../../../auth-svc/src/testing/databases-with-secrets.ts';
import { ledgerKit } from '../../testing/open-ledger.ts';
import { alertEndpoints } from '../alert-endpoints.ts';
import { createAlertAddresses } from '../addresses/confirm-address.ts';
import { checkDueAlerts } from '../check-alerts.ts';
import { deliverDue } from '../deliveries/deliver.ts';
import { openAlerts } from '../open-alerts.ts';

export type OpenedAlerts = ReturnType<typeof openAlertTests>;

interface AlertTestOptions {
  allowLocal?: boolean;
  mail?: { SMTP_URL?: string; SMTP_FROM?: string };
  store?: Store;
}

/** Alerts on an opened database, which are checked when a test says so. */
export function openAlertTests(
  { tools: { database, secrets } }: OpenedWithSecrets,
  { allowLocal = true, mail = {}, store = openMemoryStore() }: AlertTestOptions = {},
) {
  const { tools, stop } = openAlerts(ledgerKit({ ALLOW_LOCAL_TARGETS: allowLocal, ...mail }), {
    database,
    secrets,
    publicUrl: () => 'https://gateway.example',
    ready() {},
  });
  const attempts = createAttempts(store);
  const endpoints = alertEndpoints({ alerts: tools, attempts });
  const ledger = createLedger(database, { retentionDays: 36_500, events: silentLedger });

  /** Checks all alerts, as two replicas at once. */
  async function check(now = new Date()): Promise<void> {
    await sql`update alerts set checked_at = null`.execute(database.kysely);
    const replica = async () => {
      while ((await checkDueAlerts(database, { events: tools.events, now })) > 0);
      while ((await deliverDue(tools)) > 0);
    };
    await Promise.all([replica(), replica()]);
  }

  return {
    database,
    tools,
    addresses: createAlertAddresses({ database, attempts }),
    check,
    stop,
    /** Makes messages that wait for another attempt due. */
    elapse: () =>
      sql`update alert_deliveries set next_attempt_at = now() where next_attempt_at is not null`.execute(
        database.kysely,
      ),
    async addAccount(id: string, budget?: object): Promise<ApiCaller> {
      const row = { id, name: `Account ${id}`, ...(budget && { budget: JSON.stringify(budget) }) };
      await database.kysely.insertInto('accounts').values(row).execute();
      return { accountId: id, actor: 'key:k', role: 'admin', operator: false };
    },
    async ask(
      name: string,
      caller: ApiCaller,
      input: object = {},
    ): Promise<any> /* oxlint-disable-line typescript/no-explicit-any -- tests compare it with what they expect */ {
      const found = endpoints.find(({ operation: { method, path } }) => `${method} ${path}` === name);
      return found?.run(input, caller, { address: '', sessionToken: undefined, setSession() {} });
    },
    use: (count: number, changes: Partial<UsageRecord>) =>
      ledger.write(Array.from({ length: count }, () => usageRecord({ at: new Date().toISOString(), ...changes }))),
  };
}
