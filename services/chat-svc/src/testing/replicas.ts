import { openStore, type Store } from '@tallyport/store';
import { startRedis, type TestServer } from '../../../../tests/support/servers.ts';
import { type ChatBench, startChatBench } from './chat-bench.ts';

/** Several chat services that share only a real Redis. */
export interface ChatReplicas {
  redis: TestServer;
  benches: readonly ChatBench[];
  /** The upstream calls of all of them. */
  calls(): number;
  forget(): void;
  stop(): Promise<void>;
}

export async function startChatReplicas(count: number, environment: Record<string, string>): Promise<ChatReplicas> {
  const redis = await startRedis();
  const stores: Store[] = [];
  const benches: ChatBench[] = [];
  for (let index = 0; index < count; index += 1) {
    const store = await openStore({ url: redis.url });
    stores.push(store);
    benches.push(await startChatBench({ environment, chunksPerSecond: 30, store }));
  }
  return {
    redis,
    benches,
    calls: () => benches.reduce((sum, { simulator }) => sum + simulator.requests.length, 0),
    forget: () => benches.forEach(({ simulator }) => simulator.reset()),
    async stop() {
      await Promise.all(benches.map((bench) => bench.close()));
      await Promise.all(stores.map((store) => store.close()));
      await redis.stop();
    },
  };
}
