import { startRedis } from '../../../../tests/support/servers.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import { resume, suspend } from '../../../../tests/support/suspend.ts';

/** A private Redis that can hang: it accepts connections and answers nothing. */
interface HangableRedis {
  url: string;
  hang(): Promise<void>;
  resume(): void;
  end(): Promise<void>;
}

/** Stops the process itself; in a container, where the process is out of reach, stops a proxy in front of it. */
export async function startHangableRedis(): Promise<HangableRedis> {
  const server = await startRedis();
  const { pid } = server;
  if (pid === undefined) return behindProxy(server);
  return {
    url: server.url,
    hang: () => suspend(pid),
    resume: () => resume(pid),
    async end() {
      resume(pid);
      await server.stop();
    },
  };
}

async function behindProxy(server: { url: string; stop(): Promise<void> }): Promise<HangableRedis> {
  const proxy = await startTcpProxy(Number(new URL(server.url).port));
  return {
    url: `redis://127.0.0.1:${proxy.port}`,
    hang: async () => proxy.freeze(),
    resume: proxy.thaw,
    async end() {
      proxy.end();
      await server.stop();
    },
  };
}
