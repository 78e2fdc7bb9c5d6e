import type { NatsConnection } from 'nats';

const drainMs = 1_000;

/** Flushes and closes the connection. Waits at most a second, because the server may have stopped reading. */
export async function closeConnection(connection: NatsConnection): Promise<void> {
  if (connection.isClosed()) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, drainMs);
  });
  await Promise.race([connection.drain(), late]);
  clearTimeout(timer);
  if (!connection.isClosed()) void connection.close();
}

/** Whether messages can be published. */
export const isOpen = (connection: NatsConnection): boolean => !connection.isClosed() && !connection.isDraining();
