import { AsyncLocalStorage } from 'node:async_hooks';

const addresses = new AsyncLocalStorage<string>();

/** Runs the work of a request. What it records in the audit log has the address of its client. */
export const askedFrom = <Result>(address: string, work: () => Result): Result => addresses.run(address, work);

/** The address of the client whose request runs now; `undefined` in commands and in work without a request. */
export const askingAddress = (): string | undefined => addresses.getStore() || undefined;
