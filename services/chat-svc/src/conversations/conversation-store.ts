import type { Store } from '@tallyport/store';
import { type ConversationHead, deletedConversation, type KeptConversation, markOf } from './conversation-record.ts';
import {
  conversationName,
  type ConversationOwner,
  type ConversationValueOptions,
  createConversationValues,
  type FoundConversation,
} from './conversation-values.ts';
import { changedTooOften, conversationsUnavailable } from './refusals.ts';

/**
 * The conversations of each account and project, for a limited time after their last change. All operations throw
 * `unavailable` if the store is away, and those that write `request_too_large` beyond the quota of the account.
 */
export interface ConversationStore {
  create(owner: ConversationOwner, conversation: KeptConversation): Promise<void>;
  /** `undefined` if there is none. */
  find(owner: ConversationOwner, id: string): Promise<FoundConversation | undefined>;
  /**
   * Replaces a conversation by what `change` makes of it; `undefined` if there is none. `change` runs again if another
   * request was faster, and returns what it got for a conversation that has the change already.
   */
  change(
    owner: ConversationOwner,
    id: string,
    change: (found: FoundConversation) => KeptConversation,
  ): Promise<KeptConversation | undefined>;
  /** `false` if there is none. */
  delete(owner: ConversationOwner, id: string): Promise<boolean>;
}

interface ConversationStoreOptions extends ConversationValueOptions {
  store: ConversationValueOptions['store'] & Pick<Store, 'setIfOurs'>;
}

/** Of one change, while others change the same conversation. */
const mostTries = 50;
/** Longer than a request may run that read the conversation before it was deleted. */
const deletedMs = 24 * 60 * 60 * 1000;

export function createConversationStore(options: ConversationStoreOptions): ConversationStore {
  const { store, ttlMs } = options;
  const { read, prepare, release } = createConversationValues(options);
  return {
    async create(owner, conversation) {
      const { name, value, drop } = await prepare(owner, conversation);
      if ((await store.set(name, value, ttlMs)) === 'stored') return;
      drop();
      throw conversationsUnavailable();
    },
    find: async (owner, id) => (await read(owner, id))?.conversation,
    async change(owner, id, change) {
      for (let tries = 0; tries < mostTries; tries += 1) {
        const found = await read(owner, id);
        if (found === undefined) return undefined;
        const changed = change(found.conversation);
        if (changed === found.conversation) return changed;
        const { name, value, drop } = await prepare(owner, changed);
        const result = await store.setIfOurs(name, { mark: markOf(found.record.version), value }, ttlMs);
        if (result === 'stored') {
          release(owner, name, found.record.head);
          return changed;
        }
        // After `unknown` it may be stored: the next look shows it.
        if (result !== 'unknown') drop();
      }
      throw changedTooOften();
    },
    async delete(owner, id) {
      const name = conversationName(owner, id);
      let unsure: ConversationHead | undefined;
      for (let tries = 0; tries < mostTries; tries += 1) {
        const found = await read(owner, id);
        const head = found?.record.head ?? unsure;
        if (head === undefined) return false;
        const mark = found && markOf(found.record.version);
        const result = mark && (await store.setIfOurs(name, { mark, value: deletedConversation }, deletedMs));
        if (result === undefined || result === 'stored') {
          release(owner, name, head);
          return true;
        }
        // After `unknown` it may be deleted: the next look shows it.
        unsure = result === 'unknown' ? head : undefined;
      }
      throw changedTooOften();
    },
  };
}
