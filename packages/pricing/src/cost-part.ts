import type { CostClass } from '@tallyport/contracts';
import type { Money } from './money.ts';

export interface CostPart {
  readonly of: CostClass;
  readonly cost: Money;
}
