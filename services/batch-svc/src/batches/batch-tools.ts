import type { Client } from '@tallyport/bus';
import type { authService } from '@tallyport/contracts';
import type { BudgetClient } from '../budgets/budget-client.ts';
import type { FileTools } from '../files/file-tools.ts';

/** What the operations of batches need beside files. */
export interface BatchTools extends FileTools {
  /** The caller that a key is now. */
  callerOfKey: Client<typeof authService.operations>['callerOfKey'];
  budgets: BudgetClient;
  /** Of one line: that of any request. */
  maxLineBytes: number;
  /** Looks for work now, not only at the next round. */
  wake(): void;
}
