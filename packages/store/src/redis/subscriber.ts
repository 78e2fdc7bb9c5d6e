import type { Subscriptions } from '../subscriptions.ts';
import type { RedisClient } from './client.ts';

/**
 * `sync` subscribes and unsubscribes until the connection matches the wanted channels. It may be called at any time.
 */
export interface Subscriber {
  sync(): Promise<void>;
}

export interface SubscriberOptions {
  client: RedisClient;
  prefix: string;
  subscriptions: Subscriptions;
}

/** One per connection, because subscriptions end with their connection. */
export function createSubscriber({ client, prefix, subscriptions }: SubscriberOptions): Subscriber {
  const listening = new Set<string>();
  const listener = (payload: Buffer, channel: Buffer) =>
    subscriptions.deliver(channel.toString().slice(prefix.length), payload);

  const subscribe = async (channels: string[]) => {
    if (channels.length === 0) return;
    // Added before the reply, so that a concurrent sync does not subscribe again.
    for (const channel of channels) listening.add(channel);
    try {
      await client.subscribe(
        channels.map((channel) => prefix + channel),
        listener,
        true,
      );
    } catch (error) {
      for (const channel of channels) listening.delete(channel);
      throw error;
    }
  };

  const unsubscribe = async (channels: string[]) => {
    if (channels.length === 0) return;
    for (const channel of channels) listening.delete(channel);
    // With the listener, because otherwise the library would not send a later subscribe.
    await client.unsubscribe(
      channels.map((channel) => prefix + channel),
      listener,
      true,
    );
  };

  return {
    async sync() {
      const wanted = subscriptions.channels();
      const missing = [...wanted].filter((channel) => !listening.has(channel));
      const surplus = [...listening].filter((channel) => !wanted.has(channel));
      await Promise.all([subscribe(missing), unsubscribe(surplus)]);
    },
  };
}
