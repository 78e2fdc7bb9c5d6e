import type { Client } from '@tallyport/bus';
import type { authService, mcpService } from '@tallyport/contracts';
import { repeat } from '@tallyport/service-kit';
import type { ToolStreams } from './tool-streams.ts';

interface ToolWatch {
  start(): void;
  stop(): void;
}

interface ToolWatchOptions {
  streams: Pick<ToolStreams, 'changed' | 'keysChanged' | 'watching'>;
  auth: Pick<Client<(typeof authService)['operations']>, 'accountChanged' | 'keyRevoked' | 'mcpServersChanged'>;
  mcp: Pick<Client<(typeof mcpService)['operations']>, 'refreshTools' | 'toolsChanged'>;
  onFailed(error: unknown): void;
  everyMs?: number;
}

const usualEveryMs = 30_000;
const refreshMs = 25_000;

/**
 * Passes on which tools have changed, as auth-svc and mcp-svc announce it. Lists of servers are read again only while a
 * client would be notified.
 */
export function watchTools({ streams, auth, mcp, onFailed, everyMs = usualEveryMs }: ToolWatchOptions): ToolWatch {
  let stops: (() => void)[] = [];

  /** What fails is tried again with the next round. */
  async function refresh(): Promise<void> {
    const refreshed = streams.watching().map((accountId) => mcp.refreshTools({ accountId }, { timeoutMs: refreshMs }));
    await Promise.allSettled(refreshed);
  }

  return {
    start() {
      const keysChanged = (): void => streams.keysChanged();
      stops = [
        repeat({ everyMs, onFailed }, refresh),
        auth.keyRevoked.subscribe(keysChanged, keysChanged),
        auth.accountChanged.subscribe(({ accountId }) => streams.keysChanged(accountId)),
        auth.mcpServersChanged.subscribe(({ accountId }) => streams.changed(accountId)),
        mcp.toolsChanged.subscribe(({ accountId }) => streams.changed(accountId)),
      ];
    },
    stop() {
      for (const stop of stops.splice(0)) stop();
    },
  };
}
