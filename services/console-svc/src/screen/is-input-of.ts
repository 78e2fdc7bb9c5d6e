import { type ManagementOperations, managementOperations } from '@tallyport/management';

/** Whether the management API takes the input. The status of a page is that of a refusal only if its frame has not been sent. */
export const isInputOf = (name: keyof ManagementOperations, input: object): boolean =>
  managementOperations[name].input.safeParse(input).success;
