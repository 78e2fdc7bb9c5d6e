import type { ManagementOperations } from '@tallyport/management';
import type { z } from 'zod';

/**
 * Calls an operation of the management API, over HTTP or in this process, in an account or in that of the caller.
 * Throws an error with the API's `code`.
 */
export type CallInAccount = <Name extends keyof ManagementOperations>(
  name: Name,
  input: z.input<ManagementOperations[Name]['input']>,
  accountId?: string,
) => Promise<z.output<ManagementOperations[Name]['output']>>;

export const isDenied = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'permission_denied';
