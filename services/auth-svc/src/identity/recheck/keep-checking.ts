import type { Identity } from '../document/read-identity.ts';
import type { CheckEvents } from './check-events.ts';
import { checkSession, type CheckTools } from './check-session.ts';
import { claimDue } from './due-sessions.ts';

interface SessionChecks {
  start(): void;
  /** Resolves once the checks in progress have ended: a provider may have replaced a refresh token. */
  stop(): Promise<void>;
}

interface SessionCheckOptions extends CheckTools {
  identity(): Identity;
  /** Throws until the database is prepared. */
  ready(): void;
  events: Pick<CheckEvents, 'sessionChecked' | 'checkFailed'>;
}

const everyMs = 5_000;
/** Checks of one replica at once. */
const atOnce = 4;

/** Checks the sessions of identity providers whose time has come, on every replica: each is claimed by one of them. */
export function keepChecking(options: SessionCheckOptions): SessionChecks {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function round(): Promise<void> {
    try {
      options.ready();
      while (!isStopped && (await checkDue(options)) === atOnce);
    } catch (error) {
      options.events.checkFailed(error);
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

/** Checks some of the sessions that are due, and resolves with their number. */
export async function checkDue(options: Omit<SessionCheckOptions, 'ready'>): Promise<number> {
  const providers = options.identity().providers.filter(({ recheckMinutes }) => recheckMinutes > 0);
  const due = await claimDue(options.database, { providers: providers.map(({ id }) => id), limit: atOnce });
  await Promise.all(
    due.map(async (session) => {
      const provider = providers.find(({ id }) => id === session.provider);
      // A failure here leaves the claim, so that the session is due again when the claim has ended.
      if (provider) await checkSession(options, provider, session).catch(options.events.checkFailed);
    }),
  );
  return due.length;
}
