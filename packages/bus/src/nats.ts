import { connect, type ConnectionOptions, Events, type NatsConnection, NatsError, nuid } from 'nats';
import { frameLink } from './frame-link.ts';
import type { Link } from './link.ts';
import { natsAddress } from './nats-address.ts';
import { type JournalSettings, prepareStream } from './nats-journal-stream.ts';
import { natsJournals } from './nats-journals.ts';
import { natsMover } from './nats-mover.ts';

export interface NatsLinkOptions {
  journal?: JournalSettings;
  /** One or several addresses, separated by commas: `nats://user:password@127.0.0.1:4222`. */
  url: string;
  /** Shown by NATS tooling. */
  name: string;
  onTrouble?: (event: 'disconnected' | 'reconnected' | 'error', detail: string) => void;
  /** Called when the connection is closed for good because the server no longer accepts our credentials. */
  onRefused?: (refused: LinkRefused) => void;
}

/** The server rejects our credentials. Waiting does not help. */
export class LinkRefused extends Error {}

const reconnectMs = 100;
/**
 * A server that answers no ping for two to three seconds, for example behind a broken network, is left. TCP alone
 * notices this after many minutes.
 */
const pingMs = 1_000;
const unansweredPings = 2;
/** A server that accepts the connection but does not answer delays the move to the next one by this time. */
const connectMs = 2_000;

/**
 * Opens a link over NATS. Waits for the server without limit; the connection then reconnects by itself. Rejects with
 * LinkRefused when the server rejects the credentials.
 */
export async function natsLink({ url, name, journal = {}, onTrouble, onRefused }: NatsLinkOptions): Promise<Link> {
  const connection = await connectOrRefuse(connectionOptions(url, name));
  // A separate connection: a server that cannot write an entry, for example on a full disk, may stop reading from it.
  const journalConnection = await connectOrRefuse(connectionOptions(url, `${name} journal`));
  const mover = natsMover(connection, nuid.next());
  void report(connection, onTrouble);
  void connection.closed().then((error) => isRefusal(error) && onRefused?.(refusal(error)));
  const prepare = () => prepareStream(journalConnection, journal, (detail) => onTrouble?.('error', detail));
  return frameLink(mover, natsJournals(journalConnection, prepare));
}

function connectionOptions(url: string, name: string): ConnectionOptions {
  return {
    ...natsAddress(url),
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectMs,
    reconnectJitter: reconnectMs,
    waitOnFirstConnect: true,
    noEcho: false,
    // A stack trace per journal message costs more than the message itself, and our own errors say what failed.
    noAsyncTraces: true,
    pingInterval: pingMs,
    maxPingOut: unansweredPings,
    timeout: connectMs,
  };
}

async function connectOrRefuse(options: ConnectionOptions): Promise<NatsConnection> {
  try {
    return await connect(options);
  } catch (error) {
    throw isRefusal(error) ? refusal(error) : error;
  }
}

const isRefusal = (error: unknown): boolean => error instanceof NatsError && error.isAuthError();

const refusal = (cause: unknown): LinkRefused => new LinkRefused('The NATS server rejects our credentials.', { cause });

async function report(connection: NatsConnection, onTrouble: NatsLinkOptions['onTrouble']): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === Events.Disconnect) onTrouble?.('disconnected', String(status.data));
    else if (status.type === Events.Reconnect) onTrouble?.('reconnected', String(status.data));
    else if (status.type === Events.Error) onTrouble?.('error', String(status.data));
  }
}
