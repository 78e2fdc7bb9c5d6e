import { Events, type NatsConnection, nuid, type Status } from 'nats';
import { controlFrame, FrameKind } from './frame.ts';
import { HeardServices, type UnheardService } from './heard-services.ts';
import { isOpen } from './nats-close.ts';
import { moveTo } from './nats-move.ts';
import { serverIdOf, type SurveyOptions, surveyServers } from './nats-survey.ts';
import type { NeededService } from './needed-services.ts';
import { bestServers, type ServerView, richerView } from './server-views.ts';
import { inboxSubject, inboxToken, inboxWildcard, instanceName } from './subject.ts';

interface LookoutOptions extends Omit<SurveyOptions, 'connections'> {
  /** Carries requests. */
  main: NatsConnection;
  /** Carries entries of journals. */
  journal: NatsConnection;
  /** Called before a connection leaves its server for another one. */
  onMove(detail: string): void;
}

const tickMs = 250;
/** Services that answer are pinged at every fourth tick, others at every one. */
const ticksPerPing = 4;
/** A process that was blocked for this long has heard nothing meanwhile. */
const blockedMs = 1_000;
/** The server loses its links to the others one by one. */
const linksLostMs = 500;
const firstPauseMs = 5_000;
const longestPauseMs = 60_000;
/** A journal that stores nothing has other reasons as well, such as a full disk. */
const trustMs = 30_000;

/** Stands for the journal's connection, whose messages arrive at the other one while both can be used. */
const ownJournal: NeededService = { name: 'journal', operation: 'j', isOptional: true };

/**
 * Notices that the NATS server of this process is cut off from those of other processes, and moves to the server that all
 * processes choose then. It looks at the servers when a service has been silent for three seconds, the server reports
 * that others are gone, or the journal stores nothing, and again after longer and longer pauses while a service is silent.
 */
export class Lookout {
  readonly #options: LookoutOptions;
  readonly #instance: string;
  readonly #services: HeardServices;
  readonly #journal: HeardServices;
  readonly #timer: NodeJS.Timeout;
  #ticks = 0;
  #tickedAt = performance.now();
  /** How often it has looked since all was well. */
  #looks = 0;
  #isLooking = false;
  #pausedUntil = 0;
  /** When to look even if no service is missed. */
  #lookAt = Infinity;
  #trustedUntil = -Infinity;

  constructor(options: LookoutOptions) {
    const { main, journal, needs, user } = options;
    this.#options = options;
    this.#instance = instanceName(user, nuid.next());
    this.#services = new HeardServices(needs, this.#tickedAt);
    this.#journal = new HeardServices([ownJournal], this.#tickedAt);
    main.subscribe(inboxWildcard(this.#instance), {
      // Without bytes, the server reports that the service has no replica.
      callback: (error, { data, subject }) => void (error ?? (data.length > 0 && this.#hear(inboxToken(subject)))),
    });
    for (const connection of [main, journal]) void this.#watch(connection.status());
    this.#timer = setInterval(() => this.#tick(performance.now()), tickMs).unref();
    this.#ping();
  }

  /** The journal stores nothing: its server may be cut off together with all processes, which then miss no service. */
  suspect(): void {
    const now = performance.now();
    if (now < this.#trustedUntil) return;
    this.#trustedUntil = now + trustMs;
    this.#lookAt = now;
  }

  unheard(): readonly UnheardService[] {
    return this.#services.unheard();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #hear(token: string): void {
    const need = this.#options.needs[Number(token)];
    if (need) this.#services.hear(need, performance.now());
    else this.#journal.hear(ownJournal, performance.now());
  }

  async #watch(events: AsyncIterable<Status>): Promise<void> {
    for await (const { type, data } of events)
      if (type === Events.Update && typeof data === 'object' && (data.deleted?.length ?? 0) > 0)
        this.#lookAt = performance.now() + linksLostMs;
  }

  #tick(now: number): void {
    const { main, journal } = this.#options;
    const wasBlocked = now - this.#tickedAt > blockedMs;
    this.#tickedAt = now;
    if (wasBlocked || !isUsable(main)) this.#services.trustFrom(now);
    if (wasBlocked || !isUsable(main) || !isUsable(journal)) this.#journal.trustFrom(now);
    if (!isUsable(main)) return;
    this.#ping();
    const missed = this.#services.missed(now).length + this.#journal.missed(now).length;
    if (missed === 0) this.#looks = this.#pausedUntil = 0;
    const isDue = missed > 0 && now >= this.#pausedUntil;
    if (!this.#isLooking && (isDue || now >= this.#lookAt)) void this.#look(missed > 0).catch(() => undefined);
  }

  #ping(): void {
    const { main, journal, needs } = this.#options;
    const isRound = this.#ticks++ % ticksPerPing === 0;
    const unheard = new Set(this.#services.unheard().map(({ name }) => name));
    const ping = controlFrame(FrameKind.ping);
    needs.forEach(({ name, operation }, index) => {
      const reply = inboxSubject(this.#instance, String(index));
      if (isRound || unheard.has(name)) main.publish(operation, ping, { reply });
    });
    if (isRound && isUsable(journal)) journal.publish(inboxSubject(this.#instance, ownJournal.operation), ping);
  }

  /** Rejects if a connection is closed meanwhile. */
  async #look(isMissing: boolean): Promise<void> {
    this.#isLooking = true;
    this.#lookAt = Infinity;
    if (isMissing) this.#looks += 1;
    const { main, journal, servers } = this.#options;
    try {
      // There is no other server to go to.
      if (servers.length === 1 && main.info?.cluster === undefined) this.#services.noteAway(() => true);
      else await this.#follow(await surveyServers({ ...this.#options, connections: [main, journal] }), isMissing);
    } finally {
      this.#isLooking = false;
      const pauseMs = Math.min(firstPauseMs * 2 ** (this.#looks - 1), longestPauseMs);
      // Not all processes at the same time.
      this.#pausedUntil = performance.now() + pauseMs * (0.8 + Math.random() * 0.4);
    }
  }

  async #follow(views: readonly ServerView[], isMissing: boolean): Promise<void> {
    const { main, journal, servers } = this.#options;
    const here = views.find(({ serverId }) => serverId === serverIdOf(main));
    if (!here) return;
    let targets = bestServers(views);
    if (targets.has(here.serverId)) {
      // At first all processes meet at the best server; only one that still misses a service follows it elsewhere.
      const richer = isMissing && this.#looks > 1 ? richerView(views, here) : undefined;
      if (richer) targets = new Set([richer.serverId]);
      else this.#noteAway(here, views);
    }
    const known = Math.max(servers.length, views.length);
    const detail = `its server exchanges messages with ${here.linked.size} of ${known - 1} others`;
    await Promise.all([main, journal].map((connection) => this.#move(connection, targets, detail)));
  }

  /** A process that sees no more than half of the servers cannot know what is away. */
  #noteAway({ linked }: ServerView, views: readonly ServerView[]): void {
    const known = Math.max(this.#options.servers.length, views.length);
    const isMajority = 2 * (linked.size + 1) > known;
    this.#services.noteAway((need) => isMajority && !views.some(({ heard }) => heard.has(need)));
  }

  async #move(connection: NatsConnection, targets: ReadonlySet<string>, detail: string): Promise<void> {
    const server = serverIdOf(connection);
    if (server === undefined || targets.has(server)) return;
    this.#options.onMove(detail);
    await moveTo(connection, targets);
  }
}

const isUsable = (connection: NatsConnection): boolean => connection.info !== undefined && isOpen(connection);
