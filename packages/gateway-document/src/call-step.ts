import type { ManagementOperations } from '@tallyport/management';
import type { z } from 'zod';
import { accountIdOf, type PlanStep, type StepContext } from './plan-step.ts';

type Input<Name extends keyof ManagementOperations> = z.input<ManagementOperations[Name]['input']>;

/** A step that is one call of an operation in the account. Its input may need the results of earlier steps. */
export const callStep = <Name extends keyof ManagementOperations>(
  step: Pick<PlanStep, 'action' | 'account' | 'subject' | 'changes'>,
  operation: Name,
  input: (context: StepContext) => Input<Name> | Promise<Input<Name>>,
): PlanStep => ({
  ...step,
  async run(context) {
    await context.manage(operation, await input(context), accountIdOf(context, step.account));
    return undefined;
  },
});

/** A step that is one call of an operation that deletes. */
export const deletionStep = <Name extends keyof ManagementOperations>(
  place: Pick<PlanStep, 'account' | 'subject'>,
  operation: Name,
  input: (context: StepContext) => Input<Name> | Promise<Input<Name>>,
): PlanStep => callStep({ ...place, action: 'delete', changes: [] }, operation, input);
