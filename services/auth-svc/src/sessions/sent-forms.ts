import { hashKey } from '@tallyport/contracts';
import type { Store } from '@tallyport/store';

const rememberedMs = 24 * 3600_000;

/**
 * Resolves with whether a form is sent for the first time, on any replica. While the store is not available, every time
 * counts as the first.
 */
export const createSentForms =
  (store: Store) =>
  async (form: string): Promise<boolean> =>
    typeof (await store.setIfAbsent(`forms:${hashKey(form)}`, new Uint8Array(), rememberedMs)) === 'string';
