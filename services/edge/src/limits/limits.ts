import type { IncomingMessage } from 'node:http';
import type { Caller, RequestKind } from '@switchyard/contracts';
import {
  createConcurrency,
  createLocalWindows,
  createRequestLimits,
  createRequestWindows,
  joinReplicas,
  type Leave,
  rateLimited,
  requestHeaders,
  type RequestDefaults,
  networkOf,
} from '@switchyard/limits';
import type { Store } from '@switchyard/store';
import type { ClientAddress } from '../authenticate/client-address.ts';
import type { LimitEvents } from './events.ts';

export interface LimitedRequest {
  /** Undefined if the request has no key. */
  caller: Caller | undefined;
  request: IncomingMessage;
  kind: RequestKind;
  /** Adds headers to the response, also to an error. */
  addHeaders(headers: Record<string, string>): void;
}

export interface EdgeLimits {
  /**
   * Counts a request and admits it, or throws `rate_limit_exceeded`. The returned function must be called when the
   * request ends.
   */
  admit(limited: LimitedRequest): Promise<Leave>;
  stop(): Promise<void>;
}

export interface EdgeLimitsOptions {
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
  function admitAnonymous({ request, kind, addHeaders }: LimitedRequest): Leave {
    const limit = perMinute[kind];
    if (limit === 0) return nothing;
    const block = networkOf(addressOf(request));
    const { used, resetMs } = addresses.look(block);
    const allowed = used < limit;
    events.decided('address', allowed, true);
    addHeaders(requestHeaders({ limit, remaining: Math.max(0, limit - used - 1), resetMs }));
    if (!allowed) throw rateLimited(`The limit of ${limit} requests per minute without a key is reached.`, resetMs);
    addresses.add(block);
    return nothing;
  }

  return {
    async admit(limited) {
      const { caller, kind, addHeaders } = limited;
      if (!caller) return admitAnonymous(limited);
      await requests.take(caller, kind, (standing) => addHeaders(requestHeaders(standing)));
      const limit = caller.limits.account?.concurrency ?? concurrent;
      return limit === 0 || kind === 'models' ? nothing : concurrency.enter(caller.principal.accountId, limit);
    },
    async stop() {
      await Promise.all([windows.stop(), concurrency.stop(), replicas.stop()]);
    },
  };
}

const nothing: Leave = () => {};
