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

  /** Enters the account and, if it has a limit of its own, the project: in one round trip. */
  function enter({ principal: { accountId, projectId }, limits }: Caller): Leave | Promise<Leave> {
    const limit = limits.account?.concurrency ?? concurrent;
    const ofAccount = () => (limit === 0 ? nothing : concurrency.enter({ scope: 'account', id: accountId, limit }));
    const ofProject = limits.project?.concurrency ?? 0;
    if (ofProject === 0 || projectId === undefined) return ofAccount();
    return enterBoth([() => concurrency.enter({ scope: 'project', id: projectId, limit: ofProject }), ofAccount]);
  }

  return {
    async admit(limited) {
      const { caller, kind, addHeaders } = limited;
      if (!caller) return admitAnonymous(limited);
      await requests.take(caller, kind, (standing) => addHeaders(requestHeaders(standing)));
      return kind === 'models' ? nothing : enter(caller);
    },
    async stop() {
      await Promise.all([windows.stop(), concurrency.stop(), replicas.stop()]);
    },
  };
}

const nothing: Leave = () => {};

/** If one refuses, the other is left again. */
async function enterBoth(entries: readonly (() => Leave | Promise<Leave>)[]): Promise<Leave> {
  const entered = await Promise.allSettled(entries.map(async (enter) => enter()));
  const leave: Leave = () => {
    for (const each of entered) if (each.status === 'fulfilled') each.value();
  };
  const refused = entered.find(({ status }) => status === 'rejected');
  if (refused?.status !== 'rejected') return leave;
  leave();
  throw refused.reason;
}
