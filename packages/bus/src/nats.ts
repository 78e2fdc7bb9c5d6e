import { connect, type ConnectionOptions, Events, type NatsConnection, NatsError, nuid } from 'nats';
import { frameLink } from './frame-link.ts';
import type { Link } from './link.ts';
import { natsAddress } from './nats-address.ts';
import { type JournalSettings, prepareStream } from './nats-journal-stream.ts';
import { natsJournals } from './nats-journals.ts';
import { natsMover } from './nats-mover.ts';

export interface NatsLinkOptions {
  journal?: JournalSettings;
  /** One address or several, comma separated: `nats://user:password@127.0.0.1:4222`. */
  url: string;
  /** Shown by NATS tooling. */
  name: string;
  onTrouble?: (event: 'disconnected' | 'reconnected' | 'error', detail: string) => void;
  /** The connection is gone for good: the server takes our credentials no longer. */
  onRefused?: (refused: LinkRefused) => void;
}

/** The server is there and does not let us in, which no waiting mends. */
export class LinkRefused extends Error {}

const reconnectMs = 100;

/**
 * A link over NATS. Connecting waits for the server for as long as it takes; the connection then mends itself. Throws
 * LinkRefused where the server does not take the credentials.
 */
export async function natsLink({ url, name, journal = {}, onTrouble, onRefused }: NatsLinkOptions): Promise<Link> {
  const connection = await enter({
    ...natsAddress(url),
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectMs,
    reconnectJitter: reconnectMs,
    waitOnFirstConnect: true,
    noEcho: false,
    // Of every message to the journal: it costs more than the message, and we say ourselves what failed.
    noAsyncTraces: true,
    pingInterval: 10_000,
    maxPingOut: 2,
  });
  const mover = natsMover(connection, nuid.next());
  void report(connection, onTrouble);
  void connection.closed().then((error) => isRefusal(error) && onRefused?.(refusal(error)));
  const prepare = () => prepareStream(connection, journal, (detail) => onTrouble?.('error', detail));
  return frameLink(mover, natsJournals(connection, prepare));
}

async function enter(options: ConnectionOptions): Promise<NatsConnection> {
  try {
    return await connect(options);
  } catch (error) {
    throw isRefusal(error) ? refusal(error) : error;
  }
}

const isRefusal = (error: unknown): boolean => error instanceof NatsError && error.isAuthError();

const refusal = (cause: unknown): LinkRefused => new LinkRefused('The NATS server refuses our credentials.', { cause });

async function report(connection: NatsConnection, onTrouble: NatsLinkOptions['onTrouble']): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === Events.Disconnect) onTrouble?.('disconnected', String(status.data));
    else if (status.type === Events.Reconnect) onTrouble?.('reconnected', String(status.data));
    else if (status.type === Events.Error) onTrouble?.('error', String(status.data));
  }
}
