import type { NamedFamily } from '../../clients/families.ts';
import type { ClientApi } from '../apis/client-apis.ts';
import type { Conversation } from '../conversation.ts';

/** A promise about conversations: a column of the table in docs/providers.md, and a test for each of its cells. */
export interface Column {
  title: string;
  /** Whether the promise is made for this family behind this API. The table shows it, and the tests hold it. */
  holds(family: NamedFamily, api: ClientApi): boolean;
  /** Throws where the promise is broken. Runs with whole and with streamed answers. */
  check(conversation: Conversation, stream: boolean): Promise<void>;
}
