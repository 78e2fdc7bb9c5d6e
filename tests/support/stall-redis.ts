import { once } from 'node:events';
import { connect } from 'node:net';

/** Makes Redis run no command for this time; then it runs and answers those that waited. */
export async function stallRedis(url: string, ms: number): Promise<void> {
  const socket = connect(Number(new URL(url).port), new URL(url).hostname);
  socket.write(`CLIENT PAUSE ${ms} ALL\r\n`);
  await once(socket, 'data');
  socket.destroy();
}
