import type { z } from 'zod';
import type { ManagementOperations } from './operations.ts';

/** Calls an operation of the management API, with the same checks of access and input. */
export type CallOperation = <Name extends keyof ManagementOperations>(
  name: Name,
  input?: object,
) => Promise<z.output<ManagementOperations[Name]['output']>>;
