import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection } from 'nats';
import { serverIdOf } from './nats-survey.ts';

/** The client goes to its next address at each attempt; an address may stand for several servers. */
const mostAttempts = 8;
/** Longer than two attempts to connect to a server that does not answer. */
const attemptMs = 5_000;
const lookEveryMs = 20;

/** Lets the connection reconnect until it is at one of these servers. It keeps its subscriptions. */
export async function moveTo(connection: NatsConnection, servers: ReadonlySet<string>): Promise<void> {
  for (let attempt = 0; attempt < mostAttempts && !connection.isClosed(); attempt++) {
    const server = serverIdOf(connection);
    if (server !== undefined && servers.has(server)) return;
    await reconnect(connection);
  }
}

async function reconnect(connection: NatsConnection): Promise<void> {
  const { info: before } = connection;
  const end = performance.now() + attemptMs;
  await connection.reconnect();
  const isBack = (): boolean => connection.info !== undefined && connection.info !== before;
  while (!isBack() && !connection.isClosed() && performance.now() < end) await sleep(lookEveryMs);
}
