import type { StoreEvent } from './store.ts';

type Handler = (payload: Uint8Array) => void;

/** Who listens to what in this process, whatever brings the messages. */
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

/** `onChange` hears of the first subscriber of a channel and of the last one's leaving. */
export function createSubscriptions(tell: (event: StoreEvent) => void, onChange: () => void): Subscriptions {
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
      for (const entry of Array.from(entries.get(channel) ?? [])) run({ entry, channel, payload, tell });
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
  tell: (event: StoreEvent) => void;
}

/** A subscriber's fault must reach neither the connection nor the other subscribers. */
function run({ entry, channel, payload, tell }: Delivery): void {
  try {
    entry.handler(new Uint8Array(payload));
    entry.failing = false;
  } catch (error) {
    if (!entry.failing) tell({ kind: 'subscriber_failed', channel, error });
    entry.failing = true;
  }
}
