import { setTimeout as sleep } from 'node:timers/promises';
import { type NatsConnection, nuid } from 'nats';
import { controlFrame, FrameKind } from './frame.ts';
import { closeConnection, isOpen } from './nats-close.ts';
import type { NeededService } from './needed-services.ts';
import type { ServerView } from './server-views.ts';
import { inboxSubject, inboxToken, inboxWildcard, instanceName } from './subject.ts';

export interface SurveyOptions {
  /** The open connections of the process. */
  connections: readonly NatsConnection[];
  /** Opens a further connection to one of the addresses. */
  connect(server: string): Promise<NatsConnection>;
  servers: readonly string[];
  needs: readonly NeededService[];
  /** The user of the process at NATS. */
  user: string;
}

/** A single address may stand for several servers, of which each connection reaches one at random. */
const visitsOfSingle = 4;
/** Messages take milliseconds: where none has arrived after this time, none does. */
const listenMs = 1_000;
const repeatMs = 50;

/**
 * Asks all NATS servers that this process reaches which of them exchange messages, and which services are heard there.
 * Only messages prove it: a server may notice a silent link to another one after minutes.
 */
export async function surveyServers(options: SurveyOptions): Promise<readonly ServerView[]> {
  const [first = '', ...others] = options.servers;
  const addresses = others.length > 0 ? options.servers : Array.from({ length: visitsOfSingle }, () => first);
  const opened = await Promise.allSettled(addresses.map((server) => options.connect(server)));
  const further = opened.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  try {
    const posts = onePerServer([...options.connections, ...further], options.user);
    await listenAt(posts, options.needs);
    return posts.map((post) => viewOf(post, posts));
  } finally {
    for (const connection of further) void closeConnection(connection);
  }
}

/** One server, and what has arrived there. */
interface Post {
  connection: NatsConnection;
  serverId: string;
  instance: string;
  /** The posts whose messages have arrived. */
  from: Set<number>;
  heard: Set<NeededService>;
}

function onePerServer(connections: readonly NatsConnection[], user: string): readonly Post[] {
  const posts = new Map<string, Post>();
  for (const connection of connections) {
    const serverId = serverIdOf(connection);
    if (serverId === undefined || posts.has(serverId)) continue;
    const instance = instanceName(user, nuid.next());
    posts.set(serverId, { connection, serverId, instance, from: new Set(), heard: new Set() });
  }
  return [...posts.values()];
}

/** `undefined` while it is not connected. */
export const serverIdOf = ({ info }: NatsConnection): string | undefined => info?.server_id;

/** Sends messages between all posts, and pings to all services, until all have arrived or the time is over. */
async function listenAt(posts: readonly Post[], needs: readonly NeededService[]): Promise<void> {
  const stops = posts.map((post) => receive(post, needs));
  const end = performance.now() + listenMs;
  while (performance.now() < end && posts.some((post) => !isComplete(post, posts, needs))) {
    posts.forEach((post, index) => send(post, index, { posts, needs }));
    await sleep(repeatMs);
  }
  for (const stop of stops) stop();
}

const isComplete = ({ from, heard }: Post, posts: readonly Post[], needs: readonly NeededService[]): boolean =>
  from.size === posts.length && heard.size === needs.length;

/** The tokens say what a message is: the number of the post that sent it, or of the service that was asked. */
const postToken = (index: number): string => `s${index}`;
const needToken = (index: number): string => `n${index}`;

function receive({ connection, instance, from, heard }: Post, needs: readonly NeededService[]): () => void {
  const subscription = connection.subscribe(inboxWildcard(instance), {
    callback(error, message) {
      // Without bytes, the server reports that the service has no replica.
      if (error !== null || message.data.length === 0) return;
      const token = inboxToken(message.subject);
      const index = Number(token.slice(1));
      const need = needs[index];
      if (token === postToken(index)) from.add(index);
      else if (need && token === needToken(index)) heard.add(need);
    },
  });
  return () => subscription.unsubscribe();
}

interface Sent {
  posts: readonly Post[];
  needs: readonly NeededService[];
}

function send({ connection, instance, heard }: Post, index: number, { posts, needs }: Sent): void {
  if (!isOpen(connection)) return;
  const ping = controlFrame(FrameKind.ping);
  for (const post of posts)
    if (!post.from.has(index)) connection.publish(inboxSubject(post.instance, postToken(index)), ping);
  needs.forEach((need, number) => {
    if (!heard.has(need))
      connection.publish(need.operation, ping, { reply: inboxSubject(instance, needToken(number)) });
  });
}

function viewOf({ serverId, heard, from }: Post, posts: readonly Post[]): ServerView {
  const own = posts.findIndex((post) => post.serverId === serverId);
  const linked = posts.filter((post, index) => index !== own && from.has(index) && post.from.has(own));
  return { serverId, heard, linked: new Set(linked.map((post) => post.serverId)) };
}
