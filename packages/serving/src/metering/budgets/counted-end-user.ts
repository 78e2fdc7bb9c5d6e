import type { UsageDetails } from '@tallyport/contracts';

/** The end user under whose budget a request counts. */
export interface CountedEndUser {
  accountId: string;
  /** As the ledger adds up its spending. */
  name: string;
  /** Part of the name of its purse, so that the store has no names. */
  id: string;
  counted: NonNullable<UsageDetails['endUserBudget']>;
}
