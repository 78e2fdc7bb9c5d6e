import type { Dispatcher } from 'undici';
import type { UpstreamCall, UpstreamHeaders } from './call.ts';
import { Connection } from './connection.ts';
import type { Connector } from './connector.ts';
import { createKeepAlive } from './keep-alive.ts';
import { createRecentMost } from './recent-most.ts';
import type { RoundTrip } from './round-trip.ts';

interface OriginPoolOptions {
  connect: Connector;
  roundTrip: RoundTrip;
  limits?: typeof usualLimits;
}

const usualLimits = {
  /** How long idle connections are used until more is known: shorter than the idle timeout of nearly every server. */
  unknownMs: 4_000,
  /** The same for connections that have had no request yet. Servers wait longer for the first one. */
  unusedMs: 30_000,
  mostMs: 120_000,
  /** How long as many connections are kept as were in use at once. */
  recentMs: 60_000,
};

/** After a burst, more idle connections are closed at once. */
const mostIdle = 256;
/** Of connections that are kept for requests to come, so that the end of a burst costs few handshakes. */
const mostReady = 32;

/**
 * The connections to one origin: as many as were in use at once lately. A request takes the connection that became idle
 * last. One that is too old to be used is replaced; one of them stays open, only to learn when the server closes it.
 */
export class OriginPool {
  readonly #origin: string;
  readonly #options: OriginPoolOptions;
  readonly #limits: typeof usualLimits;
  readonly #keepAlive;
  /** Of connections that have had no request yet. */
  readonly #unusedKeepAlive;
  readonly #all = new Set<Connection>();
  /** The one that became idle last is the last. */
  readonly #idle: Connection[] = [];
  #watched: Connection | undefined;
  /** Being opened before there is a request for them. */
  readonly #ahead = new Set<Connection>();
  readonly #mostInUse;
  #expectedAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(origin: string, options: OriginPoolOptions) {
    this.#origin = origin;
    this.#options = options;
    this.#limits = options.limits ?? usualLimits;
    const { unknownMs, unusedMs, mostMs, recentMs } = this.#limits;
    this.#keepAlive = createKeepAlive({ unknownMs, mostMs });
    this.#unusedKeepAlive = createKeepAlive({ unknownMs: unusedMs, mostMs });
    this.#mostInUse = createRecentMost(recentMs);
  }

  /** Sends a request, if `isNew` on a connection that was not open before. */
  send(request: Dispatcher.DispatchOptions, call: UpstreamCall, { isNew = false } = {}): void {
    const connection = (isNew ? this.#takeAhead() : this.#take()) ?? this.#open();
    this.#mostInUse.note(this.#inUse());
    call.use(connection, this.#options.roundTrip);
    connection.dispatch(request, call);
  }

  /** A request may follow. Opens a connection for it, but not more often than unused ones end. */
  expectRequest(): void {
    if (performance.now() - this.#expectedAt < this.#limits.unusedMs) return;
    this.#expectedAt = performance.now();
    this.openAhead();
  }

  /** Opens a connection for the next request, unless there is one or one is being opened. */
  openAhead(): void {
    this.#openUpTo(1);
  }

  async destroy(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const connections = [...this.#all];
    this.#all.clear();
    this.#idle.length = 0;
    await Promise.all(connections.map((connection) => connection.destroy()));
  }

  /** Opens one more connection if fewer are ready. */
  #openUpTo(count: number): void {
    if (this.#isClosed || this.#ready() >= count) return;
    const connection = this.#open();
    this.#ahead.add(connection);
    connection.openAhead().then(
      () => this.#openedAhead(connection),
      () => this.#failed(connection),
    );
  }

  /**
   * Opens one for one that has ended: as long as there are fewer than lately, or once if it was used. A server that ends
   * unused connections soon would make this a loop.
   */
  #replace({ wasUsed }: Connection): void {
    const areKept = wasUsed || this.#unusedKeepAlive.usableMs() >= this.#limits.unusedMs;
    const lacking = areKept ? Math.min(this.#mostInUse.value() - this.#inUse(), mostReady) : 0;
    this.#openUpTo(Math.max(lacking, wasUsed ? 1 : 0));
  }

  /** Idle connections that can be used, and those that are being opened. */
  #ready(): number {
    return this.#ahead.size + this.#idle.filter((idle) => this.#isUsable(idle)).length;
  }

  #inUse(): number {
    return this.#all.size - this.#idle.length - this.#ahead.size - (this.#watched === undefined ? 0 : 1);
  }

  #open(): Connection {
    const connection = new Connection(this.#origin, {
      connect: this.#options.connect,
      keepAliveMs: 2 * this.#limits.mostMs,
      events: {
        answered: (headers, afterMs) => this.#answered(headers, afterMs),
        freed: (freed) => this.#freed(freed),
        failed: (failed) => this.#failedInUse(failed),
        ended: (ended, byServer) => this.#ended(ended, byServer),
      },
    });
    this.#all.add(connection);
    return connection;
  }

  #answered({ 'keep-alive': announced }: UpstreamHeaders, afterMs: number): void {
    this.#options.roundTrip.took(0, afterMs);
    this.#keepAlive.announced(announced?.toString());
  }

  #take(): Connection | undefined {
    const at = this.#idle.findLastIndex((idle) => this.#isUsable(idle));
    const [connection] = at < 0 ? [] : this.#idle.splice(at, 1);
    if (connection === undefined) return this.#takeAhead();
    connection.idleSince = undefined;
    connection.isWarm = true;
    return connection;
  }

  #takeAhead(): Connection | undefined {
    const [ahead] = this.#ahead;
    if (ahead !== undefined) this.#ahead.delete(ahead);
    return ahead;
  }

  #isUsable(connection: Connection): boolean {
    return idleMs(connection) <= this.#usableMs(connection);
  }

  #usableMs({ wasUsed }: Connection): number {
    if (!wasUsed) return this.#unusedKeepAlive.usableMs();
    if (this.#watched !== undefined) this.#keepAlive.seenOpen(idleMs(this.#watched));
    return this.#keepAlive.usableMs();
  }

  #openedAhead(connection: Connection): void {
    if (this.#ahead.delete(connection)) this.#keep(connection);
  }

  /** Some servers close right after their answer without saying so. The end arrives before the socket is read again. */
  #freed(connection: Connection): void {
    connection.idleSince = performance.now();
    setImmediate(() => this.#keep(connection));
  }

  #keep(connection: Connection): void {
    if (!this.#all.has(connection)) return;
    connection.idleSince ??= performance.now();
    this.#idle.push(connection);
    const [oldest] = this.#idle;
    if (this.#idle.length > mostIdle && oldest !== undefined) this.#failed(oldest);
    if (this.#timer === undefined) this.#sweepLater();
  }

  /** An abandoned answer, or the last one of a server that counts them. A server that is away is not asked again. */
  #failedInUse(connection: Connection): void {
    this.#failed(connection);
    if (connection.wasUsed) this.#replace(connection);
  }

  #failed(connection: Connection): void {
    if (!this.#forget(connection)) return;
    // Not within a call of undici, which is about to go on with this connection.
    setImmediate(() => void connection.destroy());
  }

  #forget(connection: Connection): boolean {
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
    if (this.#watched === connection) this.#watched = undefined;
    this.#ahead.delete(connection);
    return this.#all.delete(connection);
  }

  #ended(connection: Connection, byServer: boolean): void {
    if (!this.#all.has(connection)) return;
    const keepAlive = connection.wasUsed ? this.#keepAlive : this.#unusedKeepAlive;
    if (byServer) keepAlive.seenClosed(idleMs(connection));
    const wasWatched = connection === this.#watched;
    this.#failed(connection);
    if (!wasWatched) this.#replace(connection);
  }

  #sweepLater(): void {
    const waitsMs = this.#idle.map((idle) => this.#usableMs(idle) - idleMs(idle));
    if (this.#watched !== undefined) waitsMs.push(this.#limits.mostMs - idleMs(this.#watched));
    const waitMs = Math.max(1, Math.min(...waitsMs));
    this.#timer = waitsMs.length === 0 ? undefined : setTimeout(() => this.#sweep(), waitMs).unref();
  }

  /** Ends and replaces what is too old. */
  #sweep(): void {
    if (this.#watched !== undefined && idleMs(this.#watched) >= this.#limits.mostMs) this.#retireWatched(this.#watched);
    for (const old of this.#idle.filter((idle) => !this.#isUsable(idle))) this.#retire(old);
    this.#sweepLater();
  }

  #retireWatched(watched: Connection): void {
    this.#keepAlive.seenOpen(idleMs(watched));
    this.#failed(watched);
  }

  #retire(connection: Connection): void {
    if (connection.wasUsed && this.#watched === undefined) {
      this.#idle.splice(this.#idle.indexOf(connection), 1);
      this.#watched = connection;
    } else {
      this.#failed(connection);
    }
    this.#replace(connection);
  }
}

const idleMs = ({ idleSince }: Connection): number => (idleSince === undefined ? 0 : performance.now() - idleSince);
