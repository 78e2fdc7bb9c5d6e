import type { StoreEvent } from '../store.ts';
import type { Subscriptions } from '../subscriptions.ts';
import type { Channels } from './channels.ts';
import { isReply } from './trouble.ts';

interface Subscriber {
  /** Subscribes and unsubscribes until the server matches the wanted channels. It may be called at any time. */
  sync(): void;
  /** Subscribes again on a new connection. */
  reconnected(): void;
}

interface SubscriberOptions {
  channels: Channels;
  prefix: string;
  subscriptions: Subscriptions;
  report: (event: StoreEvent) => void;
}

export function createSubscriber({ channels, prefix, subscriptions, report }: SubscriberOptions): Subscriber {
  const listening = new Set<string>();
  let refused = false;
  channels.onMessage((channel, payload) => subscriptions.deliver(channel.toString().slice(prefix.length), payload));

  const subscribe = async (channel: string) => {
    // Added before the reply, so that a concurrent sync does not subscribe again.
    listening.add(channel);
    try {
      await channels.subscribe(prefix + channel);
      refused = false;
    } catch (error) {
      listening.delete(channel);
      // In a cluster the library remembers a channel that it could not subscribe to.
      await unsubscribe(channel);
      // Without permission to subscribe, everything else still works.
      if (isReply(error) && !refused) report({ kind: 'subscriber_failed', channel: '*', error });
      refused ||= isReply(error);
    }
  };

  const unsubscribe = async (channel: string) => {
    listening.delete(channel);
    await channels.unsubscribe(prefix + channel).catch(() => {});
  };

  const sync = () => {
    const wanted = subscriptions.channels();
    for (const channel of wanted) if (!listening.has(channel)) void subscribe(channel);
    for (const channel of listening) if (!wanted.has(channel)) void unsubscribe(channel);
  };

  return {
    sync,
    reconnected() {
      if (!channels.kept) listening.clear();
      sync();
    },
  };
}
