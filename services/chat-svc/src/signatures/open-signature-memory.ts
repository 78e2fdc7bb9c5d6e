import { createByteQuota, type Store } from '@tallyport/store';
import { createSignatureMemory, type SignatureMemory } from './signature-memory.ts';

/** So that no account can evict what is remembered for others. */
const accountBytes = 64 * 1024 * 1024;

export function openSignatureMemory(store: Store): SignatureMemory {
  const quota = createByteQuota({ store, name: 'signatures', maxBytes: accountBytes });
  return createSignatureMemory({ store, quota });
}
