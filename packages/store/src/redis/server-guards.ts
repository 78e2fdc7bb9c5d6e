import { createGuard } from './guard.ts';
import type { Guard } from './guard.ts';

/** A breaker per server, so that a hung one does not delay commands for the others. */
interface ServerGuards {
  /** Returns `undefined` for any error. */
  run<Result>(server: string, task: () => Promise<Result>): Promise<Result | undefined>;
  /** Probes all of these servers, and forgets others. */
  check(servers: ReadonlySet<string>): void;
  /** Closes all breakers. */
  close(): void;
  shutdown(): void;
}

interface ServerGuardsOptions {
  limitMs: number;
  probe: (server: string) => Promise<unknown>;
  onOpen: (cause: Error) => void;
  /** No breaker is open any more. */
  onClose: () => void;
  /** The server did not answer a probe: its connection should be replaced. */
  onDead: (server: string, cause: Error) => void;
  onSwallowed: () => void;
}

export function createServerGuards(options: ServerGuardsOptions): ServerGuards {
  const guards = new Map<string, Guard>();
  const open = new Set<string>();

  const closed = (server: string) => {
    if (open.delete(server) && open.size === 0) options.onClose();
  };

  const add = (server: string): Guard => {
    const guard = createGuard({
      ...options,
      probe: () => options.probe(server),
      onOpen(cause) {
        open.add(server);
        options.onOpen(cause);
      },
      onClose: () => closed(server),
      onDead: (cause) => options.onDead(server, cause),
    });
    guards.set(server, guard);
    return guard;
  };

  const guardOf = (server: string) => guards.get(server) ?? add(server);

  const forget = (server: string) => {
    guards.get(server)?.shutdown();
    guards.delete(server);
    closed(server);
  };

  return {
    run: (server, task) => guardOf(server).run(task),
    check(servers) {
      for (const server of guards.keys()) if (!servers.has(server)) forget(server);
      for (const server of servers) guardOf(server).check();
    },
    close: () => guards.forEach((guard) => guard.close()),
    shutdown: () => guards.forEach((guard) => guard.shutdown()),
  };
}
