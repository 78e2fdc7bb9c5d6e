import type { Redis } from 'ioredis';

/**
 * Commands of one turn of the event loop are written to the socket together. The library writes each one by itself,
 * which costs a system call per command.
 */
export function gatherWrites(client: Redis): void {
  const send = client.sendCommand.bind(client);
  let isGathering = false;
  client.sendCommand = (command, pipeline) => {
    const { stream } = client;
    if (!isGathering && stream?.writable) {
      isGathering = true;
      stream.cork();
      setImmediate(() => {
        isGathering = false;
        stream.uncork();
      });
    }
    return send(command, pipeline);
  };
}
