import { randomInt } from 'node:crypto';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type ConnectionOptions, ErrorCode, Events, type NatsConnection, NatsError, nuid } from 'nats';
import { frameLink } from './frame-link.ts';
import type { Link } from './link.ts';
import { type NatsAddress, natsAddress } from './nats-address.ts';
import { type JournalSettings, prepareStream } from './nats-journal-stream.ts';
import { natsJournals } from './nats-journals.ts';
import { Lookout } from './nats-lookout.ts';
import { natsMover } from './nats-mover.ts';
import { versionAdvice } from './nats-versions.ts';
import { servicesNeededBy } from './needed-services.ts';
import { withOwnProcess } from './own-process.ts';
import { instanceName, userInboxes } from './subject.ts';

export interface NatsLinkOptions {
  journal?: JournalSettings;
  /** One or several addresses, separated by commas: `nats://user:password@127.0.0.1:4222`. */
  url: string;
  /** Shown by NATS tooling. */
  name: string;
  /** The services that run in this process. What they need from other processes is pinged. Default: its name. */
  services?: readonly string[];
  onTrouble?: (event: LinkTrouble, detail: string) => void;
  /** Called once, if the server's version needs attention, with what to do. */
  onAdvice?: (advice: string) => void;
  /** Called when the connection is closed for good because the server no longer accepts our credentials. */
  onRefused?: (refused: LinkRefused) => void;
}

/** `moved`: our server is cut off from those of other processes, and we leave it for another one. */
export type LinkTrouble = 'disconnected' | 'reconnected' | 'moved' | 'error';

/** Stands for the user in subjects where NATS has no users. */
const anyUser = 'any';

/** Why a connection is refused. Waiting does not help. */
export type RefusalReason = 'certificate' | 'credentials' | 'no_tls';

export class LinkRefused extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, options?: ErrorOptions) {
    super(refusals[reason], options);
    this.reason = reason;
  }
}

const refusals: Readonly<Record<RefusalReason, string>> = {
  certificate: 'The certificate of the NATS server cannot be verified.',
  credentials: 'The NATS server rejects our credentials.',
  no_tls: 'The NATS server offers no TLS.',
};

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
 * The messages of one turn of the event loop are written together up to this size. With the library's own limit, 32 KB,
 * a body of 12 MB is 400 writes, and an answer with it costs a quarter more CPU.
 */
const joinedBytes = 1024 * 1024;

/**
 * Opens a link over NATS. Waits for the server without limit; the connection then reconnects by itself. Rejects with
 * LinkRefused when the server rejects the credentials or, with TLS, cannot be trusted.
 */
export async function natsLink({
  url,
  name,
  services = [name],
  journal = {},
  onTrouble,
  onAdvice,
  onRefused,
}: NatsLinkOptions): Promise<Link> {
  const address = natsAddress(url);
  const { user = anyUser } = address;
  const inboxes = userInboxes(user);
  // The library checks the name in the certificate only of a server with a host name.
  if (address.tls && address.servers.some(isNumeric)) throw new LinkRefused('certificate');
  const options = connectionOptions(address, name, inboxes);
  const connection = await connectOrRefuse(options);
  // A separate connection: a server that cannot write an entry, for example on a full disk, may stop reading from it.
  const journalConnection = await connectOrRefuse({ ...options, name: `${name} journal` });
  const mover = withOwnProcess(natsMover(connection, instanceName(user, nuid.next())));
  void report(connection, onTrouble);
  void connection
    .closed()
    .then((error) => isAuthError(error) && onRefused?.(new LinkRefused('credentials', { cause: error })));
  const prepare = () => prepareStream(journalConnection, journal, (detail) => onTrouble?.('error', detail));
  const advice = versionAdvice(connection.info?.version ?? '', journal.replicas ?? 1);
  if (advice !== undefined) onAdvice?.(advice);
  const lookout = new Lookout({
    main: connection,
    journal: journalConnection,
    servers: address.servers,
    connect: (server) => connect({ ...options, servers: [server], reconnect: false, ignoreClusterUpdates: true }),
    needs: servicesNeededBy(services),
    user,
    onMove: (detail) => onTrouble?.('moved', detail),
  });
  const link = frameLink(
    mover,
    natsJournals(journalConnection, { inboxes, prepare, onUnstored: () => lookout.suspect() }),
  );
  return {
    ...link,
    unheard: () => lookout.unheard(),
    close() {
      lookout.close();
      return link.close();
    },
  };
}

function connectionOptions(
  address: NatsAddress,
  name: string,
  inboxPrefix: string,
): ClientOptions & { pendingLimit: number } {
  return {
    ...address,
    name,
    inboxPrefix,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectMs,
    reconnectJitter: reconnectMs,
    noEcho: false,
    // A stack trace per journal message costs more than the message itself, and our own errors say what failed.
    noAsyncTraces: true,
    pingInterval: pingMs,
    maxPingOut: unansweredPings,
    timeout: connectMs,
    // Not in the library's types, and not in its documentation.
    pendingLimit: joinedBytes,
  };
}

const isNumeric = (server: string): boolean => isIP(new URL(server).hostname.replace(/^\[|\]$/g, '')) !== 0;

type ClientOptions = ConnectionOptions & { servers: string[] };

/** Tries all servers in turn without end. The library would do so too, but without a word about the reason. */
async function connectOrRefuse(options: ClientOptions): Promise<NatsConnection> {
  for (;;) {
    try {
      return await connectToAny(options);
    } catch (error) {
      const reason = refusalOf(error);
      if (reason) throw new LinkRefused(reason, { cause: error });
      if (codeOf(error) === undefined) throw error;
      await sleep(reconnectMs);
    }
  }
}

/**
 * Connects to a random server. The library forgets the servers that it tried before the first one that answered; with
 * that one first, it keeps all.
 */
async function connectToAny({ servers, ...options }: ClientOptions): Promise<NatsConnection> {
  const first = randomInt(servers.length);
  const order = (from: number): string[] => [...servers.slice(from), ...servers.slice(0, from)];
  const connection = await connect({ ...options, servers: order(first), noRandomize: true });
  const reached = servers.findIndex((server) => new URL(server).host === connection.getServer());
  if (reached === first || reached === -1) return connection;
  await connection.close();
  return connect({ ...options, servers: order(reached), noRandomize: true });
}

function refusalOf(error: unknown): RefusalReason | undefined {
  if (isAuthError(error)) return 'credentials';
  const code = codeOf(error) ?? '';
  if (code === ErrorCode.ServerOptionNotAvailable) return 'no_tls';
  return certificateCode.test(code) ? 'certificate' : undefined;
}

/** Node's codes for a certificate of an unknown authority, for another name, or out of date. */
const certificateCode = /^(CERT_|DEPTH_ZERO_|ERR_TLS_CERT_|SELF_SIGNED_|UNABLE_TO_)/;

const isAuthError = (error: unknown): boolean => error instanceof NatsError && error.isAuthError();

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error ? String(error.code) : undefined;

async function report(connection: NatsConnection, onTrouble: NatsLinkOptions['onTrouble']): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === Events.Disconnect) onTrouble?.('disconnected', String(status.data));
    else if (status.type === Events.Reconnect) onTrouble?.('reconnected', String(status.data));
    else if (status.type === Events.Error) onTrouble?.('error', String(status.data));
  }
}
