import type { Kit } from '@tallyport/service-kit';
import { openStore, type Store } from '@tallyport/store';
import type { AnswerCacheConfig } from './config.ts';

/** The store of answers: a separate Redis if configured, otherwise the common store. */
export async function openAnswerStore(
  { config, onShutdown }: Pick<Kit<Pick<AnswerCacheConfig, 'CACHE_REDIS_URL'>>, 'config' | 'onShutdown'>,
  store: Store,
): Promise<Store> {
  const url = config.CACHE_REDIS_URL;
  if (url === undefined) return store;
  const own = await openStore({ url });
  onShutdown('answer store', () => own.close());
  return own;
}
