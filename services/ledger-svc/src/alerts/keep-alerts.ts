import { type Database, sql } from '@tallyport/database';
import { checkDueAlerts } from './check-alerts.ts';
import { deliverDue, type DeliveryTools } from './deliveries/deliver.ts';

interface AlertKeeper {
  start(): void;
  /** Resolves once a running round has ended. */
  stop(): Promise<void>;
}

interface AlertKeeperOptions extends DeliveryTools {
  /** Throws until the database is prepared. */
  ready(): void;
}

const everyMs = 5_000;
const historyDays = 90;

/** Checks alerts and sends what they found, on every replica: each alert and each message is claimed by one of them. */
export function keepAlerts({ ready, ...tools }: AlertKeeperOptions): AlertKeeper {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function round(): Promise<void> {
    try {
      ready();
      while (!isStopped && (await checkDueAlerts(tools.database, { events: tools.events, now: new Date() })) > 0);
      while (!isStopped && (await deliverDue(tools)) > 0);
      await forgetHistory(tools.database);
    } catch (error) {
      tools.events.roundFailed(error);
    }
    plan();
  }

  function plan(): void {
    if (!isStopped) timer = setTimeout(() => void (running = round()), everyMs).unref();
  }

  return {
    start: plan,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Uses an index, so it costs little while there is nothing to delete. */
const forgetHistory = ({ kysely }: Database) =>
  sql`delete from alert_events where id in (
    select id from alert_events where at < now() - make_interval(days => ${historyDays}::int) limit 1000
  )`.execute(kysely);
