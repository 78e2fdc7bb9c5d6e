import type { StoreEvent } from './store.ts';

type Handler = (payload: Uint8Array) => void;

/** The subscriptions of this process, independent of the transport. */
export interface Subscriptions {
  add(channel: string, handler: Handler): () => void;
  deliver(channel: string, payload: Uint8Array): void;
  channels(): ReadonlySet<string>;
  clear(): void;
}

interface Entry {
  handler: Handler;
  failing: boolean;
}

/** `onChange` is called when a channel gets its first subscriber or loses its last. */
export function createSubscriptions(report: (event: StoreEvent) => void, onChange: () => void): Subscriptions {
  const entries = new Map<string, Set<Entry>>();
  const channels = new Set<string>();

  const remove = (channel: string, entry: Entry) => {
    const listening = entries.get(channel);
    if (!listening?.delete(entry) || listening.size > 0) return;
    entries.delete(channel);
    channels.delete(channel);
    onChange();
  };

  return {
    add(channel, handler) {
      const entry = { handler, failing: false };
      const listening = entries.get(channel);
      if (listening) listening.add(entry);
      else {
        entries.set(channel, new Set([entry]));
        channels.add(channel);
        onChange();
      }
      return () => remove(channel, entry);
    },
    deliver(channel, payload) {
      // A copy, because a handler may unsubscribe itself or others.
      for (const entry of Array.from(entries.get(channel) ?? [])) run({ entry, channel, payload, report });
    },
    channels: () => channels,
    clear() {
      entries.clear();
      channels.clear();
    },
  };
}

interface Delivery {
  entry: Entry;
  channel: string;
  payload: Uint8Array;
  report: (event: StoreEvent) => void;
}

/** An error in a subscriber must affect neither the connection nor the other subscribers. */
function run({ entry, channel, payload, report }: Delivery): void {
  try {
    entry.handler(new Uint8Array(payload));
    entry.failing = false;
  } catch (error) {
    if (!entry.failing) report({ kind: 'subscriber_failed', channel, error });
    entry.failing = true;
  }
}
