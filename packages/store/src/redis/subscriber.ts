import type { Subscriptions } from '../subscriptions.ts';
import type { RedisClient } from './client.ts';

/** Brings what a connection listens to in line with what is wanted; safe to call at any time, as often as one likes. */
export interface Subscriber {
  sync(): Promise<void>;
}

export interface SubscriberOptions {
  client: RedisClient;
  prefix: string;
  subscriptions: Subscriptions;
}

/** One per connection, because what a connection listens to ends with it. */
export function createSubscriber({ client, prefix, subscriptions }: SubscriberOptions): Subscriber {
  const listening = new Set<string>();
  const listener = (payload: Buffer, channel: Buffer) =>
    subscriptions.deliver(channel.toString().slice(prefix.length), payload);

  const subscribe = async (channels: string[]) => {
    if (channels.length === 0) return;
    // Noted before the answer, so that a second sync does not ask again.
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
    // With the listener: only then does the library know that a subscribe behind it must be sent again.
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
