import { Cluster } from 'ioredis';
import type { RedisClient } from './client.ts';

/** Channels of one server, or those of a cluster, in which each channel is on the node that has its slot. */
export interface Channels {
  publish(channel: string, payload: Buffer): Promise<unknown>;
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  onMessage(deliver: (channel: Buffer, payload: Buffer) => void): void;
  /** Whether the library subscribes again by itself. */
  kept: boolean;
}

export function channelsOf(client: RedisClient): Channels {
  if (client instanceof Cluster)
    return {
      publish: (channel, payload) => client.spublish(channel, payload),
      subscribe: (channel) => client.ssubscribe(channel),
      unsubscribe: (channel) => client.sunsubscribe(channel),
      onMessage: (deliver) => client.on('smessageBuffer', deliver),
      kept: true,
    };
  return {
    publish: (channel, payload) => client.publish(channel, payload),
    subscribe: (channel) => client.subscribe(channel),
    unsubscribe: (channel) => client.unsubscribe(channel),
    onMessage: (deliver) => client.on('messageBuffer', deliver),
    kept: false,
  };
}
