import type { AccountState } from './gateway-state.ts';

/** A section of an account in the document, and what exists of the account. */
export interface AccountPart<Entry> {
  /** The account's entry in the document. */
  account: string;
  entry: Entry;
  /** Absent if the account does not exist yet. */
  state: AccountState | undefined;
}
