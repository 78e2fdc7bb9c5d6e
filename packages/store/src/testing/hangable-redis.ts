import { startRedis } from '../../../../tests/support/servers.ts';
import { startTcpProxy } from './tcp-proxy.ts';

/** A private Redis that can hang: it accepts connections and answers nothing. */
export interface HangableRedis {
  url: string;
  hang(): void;
  resume(): void;
  end(): Promise<void>;
}

/** Stops the process itself; in a container, where the process is out of reach, stops a proxy in front of it. */
export async function startHangableRedis(): Promise<HangableRedis> {
  const server = await startRedis();
  const { pid } = server;
  if (pid === undefined) return behindProxy(server);
  const resume = () => void process.kill(pid, 'SIGCONT');
  return {
    url: server.url,
    hang: () => void process.kill(pid, 'SIGSTOP'),
    resume,
    async end() {
      resume();
      await server.stop();
    },
  };
}

async function behindProxy(server: { url: string; stop(): Promise<void> }): Promise<HangableRedis> {
  const proxy = await startTcpProxy(Number(new URL(server.url).port));
  return {
    url: `redis://127.0.0.1:${proxy.port}`,
    hang: proxy.freeze,
    resume: proxy.thaw,
    async end() {
      proxy.end();
      await server.stop();
    },
  };
}
