import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../../../tests/support/probe.ts';
import { startProcessServer } from '../../../../tests/support/process-server.ts';
import { redis } from '../../../../tests/support/redis.ts';
import { programsOf, startRedis, type TestServer } from '../../../../tests/support/servers.ts';

/** A primary, a replica, and one Sentinel that makes the replica the primary within about a second. */
export interface SentinelGroup {
  primary: TestServer;
  replica: TestServer;
  sentinel: TestServer;
  stop(): Promise<void>;
}

export async function startSentinelGroup(): Promise<SentinelGroup> {
  // With arguments, servers are always local processes.
  const primary = await startRedis({ args: ['--repl-diskless-sync-delay', '0'] });
  const { port } = new URL(primary.url);
  const replica = await startRedis({ args: ['--replicaof', '127.0.0.1', port] });
  const sentinel = await startSentinel(port);
  const stop = async () => {
    await Promise.all([sentinel, replica, primary].map((server) => server.stop()));
  };
  return { primary, replica, sentinel, stop };
}

const startSentinel = (primaryPort: string): Promise<TestServer> =>
  startSentinelWith([
    `sentinel monitor primary 127.0.0.1 ${primaryPort} 1`,
    'sentinel down-after-milliseconds primary 500',
    'sentinel failover-timeout primary 3000',
  ]);

/** A Sentinel with these lines in its configuration. */
export async function startSentinelWith(lines: readonly string[]): Promise<TestServer> {
  const programs = await programsOf(redis);
  return startProcessServer(
    {
      ...redis,
      prepare: (_programs, directory) => writeFile(join(directory, 'sentinel.conf'), `${lines.join('\n')}\n`),
      command: ([server = 'redis-server'], { port, directory }) => [
        server,
        join(directory, 'sentinel.conf'),
        '--sentinel',
        '--bind',
        '127.0.0.1',
        '--port',
        String(port),
      ],
    },
    programs,
    { port: await freePort() },
  );
}
