import type { IncomingMessage } from 'node:http';
import type { Caller, RequestKind } from '@tallyport/contracts';
import {
  concurrencyRules,
  createConcurrency,
  createLocalWindows,
  createRequestLimits,
  createRequestWindows,
  enterAll,
  joinReplicas,
  type Leave,
  rateLimited,
  requestHeaders,
  type RequestDefaults,
  networkOf,
} from '@tallyport/limits';
import type { Store } from '@tallyport/store';
import type { ClientAddress } from '../authenticate/client-address.ts';
import type { LimitEvents } from './events.ts';

interface LimitedRequest {
  readonly request: IncomingMessage;
  /** Adds headers to the response, also to an error. */
  addHeaders(headers: Record<string, string>): void;
}

export interface EdgeLimits {
  /**
   * Counts a request and admits it, at once if its limits are far away. Throws or rejects with `rate_limit_exceeded`.
   * `caller` is undefined if the request has no key. The returned function must be called when the request ends.
   */
  admit(limited: LimitedRequest, kind: RequestKind, caller: Caller | undefined): Leave | Promise<Leave>;
  stop(): Promise<void>;
}

interface EdgeLimitsOptions {
  store: Store;
  addressOf: ClientAddress;
  perMinute: RequestDefaults;
  concurrent: number;
  events: LimitEvents;
}

const windowMs = 60_000;
const maxAddresses = 10_000;

/** Opens the limits that all edge replicas share. */
export function openLimits({ store, addressOf, perMinute, concurrent, events }: EdgeLimitsOptions): EdgeLimits {
  const replicas = joinReplicas({ store, group: 'edge', onBeat: () => concurrency.beat() });
  const windows = createRequestWindows({ store, windowMs, replicas: replicas.count });
  const requests = createRequestLimits({
    windows,
    defaults: perMinute,
    onDecision: (scope, { allowed, alone }) => events.decided(scope, allowed, alone),
  });
  const concurrency = createConcurrency({
    store,
    replicas,
    onDecision: (allowed, alone) => events.decided('concurrency', allowed, alone),
  });
  const addresses = createLocalWindows({ windowMs, maxNames: maxAddresses });

  /** Requests without a key are counted by address, in this process only: addresses are cheap to make up. */
  function admitAnonymous(limited: LimitedRequest, kind: RequestKind): Leave {
    const limit = perMinute[kind];
    if (limit === 0) return nothing;
    const block = networkOf(addressOf(limited.request));
    const { used, resetMs } = addresses.look(block);
    const allowed = used < limit;
    events.decided('address', allowed, true);
    limited.addHeaders(requestHeaders({ limit, remaining: Math.max(0, limit - used - 1), resetMs }));
    if (!allowed) throw rateLimited(`The limit of ${limit} requests per minute without a key is reached.`, resetMs);
    addresses.add(block);
    return nothing;
  }

  function enter(caller: Caller, kind: RequestKind): Leave | Promise<Leave> {
    if (kind === 'models') return nothing;
    return enterAll(concurrency, concurrencyRules(caller, concurrent));
  }

  return {
    admit(limited, kind, caller) {
      if (!caller) return admitAnonymous(limited, kind);
      const taken = requests.take(caller, kind, (standing) => limited.addHeaders(requestHeaders(standing)));
      return taken instanceof Promise ? taken.then(() => enter(caller, kind)) : enter(caller, kind);
    },
    async stop() {
      await Promise.all([windows.stop(), concurrency.stop(), replicas.stop()]);
    },
  };
}

const nothing: Leave = () => {};
