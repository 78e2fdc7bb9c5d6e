import { connect, Events, type NatsConnection, nuid } from 'nats';
import { frameLink } from './frame-link.ts';
import type { Link } from './link.ts';
import { natsJournals } from './nats-journals.ts';
import { natsMover } from './nats-mover.ts';

export interface NatsLinkOptions {
  /** One address or several, comma separated: `nats://127.0.0.1:4222`. */
  url: string;
  /** Shown by NATS tooling. */
  name: string;
  onTrouble?: (event: 'disconnected' | 'reconnected' | 'error', detail: string) => void;
}

const reconnectMs = 100;

/** A link over NATS. Connecting waits for the server for as long as it takes; the connection then mends itself. */
export async function natsLink({ url, name, onTrouble }: NatsLinkOptions): Promise<Link> {
  const connection = await connect({
    servers: url.split(',').map((server) => server.trim()),
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectMs,
    reconnectJitter: reconnectMs,
    waitOnFirstConnect: true,
    noEcho: false,
    pingInterval: 10_000,
    maxPingOut: 2,
  });
  const mover = natsMover(connection, nuid.next());
  void report(connection, onTrouble);
  return frameLink(mover, natsJournals(connection));
}

async function report(connection: NatsConnection, onTrouble: NatsLinkOptions['onTrouble']): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === Events.Disconnect) onTrouble?.('disconnected', String(status.data));
    else if (status.type === Events.Reconnect) onTrouble?.('reconnected', String(status.data));
    else if (status.type === Events.Error) onTrouble?.('error', String(status.data));
  }
}
