import type { Link } from '@tallyport/bus';
import type { LinkTrouble, RefusalReason } from '@tallyport/bus/nats';
import type { Kit } from '../life/kit.ts';
import type { CheckResult, Part } from '../parts/part.ts';
import { StartError } from '../life/start-error.ts';
import { throttledLog } from '../log/index.ts';
import { tracedLink } from '../trace/traced-link.ts';

export interface OpenBus extends Part {
  readonly link: Link;
}

interface BusConfig {
  readonly NATS_URL?: string | undefined;
  readonly JOURNAL_REPLICAS?: number | undefined;
  readonly JOURNAL_MAX_BYTES?: number | undefined;
}

const waitLogMs = 5000;
const troubles = ['disconnected', 'reconnected', 'moved', 'error'] as const satisfies readonly LinkTrouble[];

/**
 * Opens the bus of a process that runs one service, or several, apart from the others, waiting for the NATS server. List it
 * before the parts that use the link.
 */
export async function openBus(kit: Kit<BusConfig>, services: readonly string[] = [kit.name]): Promise<OpenBus> {
  const url = kit.config.NATS_URL;
  if (url === undefined) {
    throw new StartError(
      `${kit.name} reaches the other services over NATS: set NATS_URL, or run all services in one process with npm start.`,
    );
  }
  // Loaded only when it is used: all-in-one needs no client of NATS.
  const { LinkRefused, natsLink } = await import('@tallyport/bus/nats');
  const waiting = setInterval(() => kit.log.warn('still waiting for the NATS server'), waitLogMs);
  try {
    const journal = { replicas: kit.config.JOURNAL_REPLICAS, maxBytes: kit.config.JOURNAL_MAX_BYTES };
    const onAdvice = (advice: string): void => kit.log.warn(advice);
    const events = { onTrouble: troubleEvents(kit), onAdvice, onRefused: kit.fail };
    const link = await natsLink({ url, name: services.join(','), services, journal, ...events });
    return {
      name: 'bus',
      link: kit.tracing === undefined ? link : tracedLink(link, kit.tracing),
      check: async () => checkLink(link),
      stop: () => link.close(),
    };
  } catch (error) {
    if (!(error instanceof LinkRefused)) throw error;
    throw new StartError(`${error.message} ${advice[error.reason]}`, { cause: error });
  } finally {
    clearInterval(waiting);
  }
}

/**
 * A service that is away everywhere makes no process unready: the process still serves everything else. One that only
 * this process does not hear makes it unready, so that others are asked instead.
 */
function checkLink(link: Link): CheckResult {
  if (!link.connected()) return { ok: false, message: 'Not connected to NATS; reconnecting.' };
  const unheard = link.unheard();
  if (unheard.length === 0) return { ok: true };
  const ok = unheard.every(({ isAway, isOptional }) => isAway || isOptional);
  return { ok, message: `No replica answers of ${unheard.map(({ name }) => name).join(', ')}.` };
}

const advice: Readonly<Record<RefusalReason, string>> = {
  certificate:
    'Set NODE_EXTRA_CA_CERTS to the file of its certificate authority, and use a host name in NATS_URL that the certificate has.',
  credentials: 'Check the user and password, or the token, in NATS_URL.',
  no_tls: 'Turn it on, or use nats:// instead of tls:// in NATS_URL.',
};

function troubleEvents({ log, metrics }: Kit<unknown>) {
  const events = metrics.counter({
    name: 'gateway_nats_connection_events_total',
    help: 'Events of the connection to NATS.',
    labels: { event: troubles },
  });
  const warn = throttledLog(log);
  return (event: (typeof troubles)[number], detail: string) => {
    events.with({ event }).increment();
    warn(event, { event, detail }, 'NATS connection event');
  };
}
