import type { CallOptions } from '@tallyport/bus';

/**
 * Longer than the usual limit of a call, because a command may write thousands of records and the embedded database may be
 * busy. Shorter than the limit of the command socket, so that its caller reads the reason.
 */
const commandMs = 50_000;

/** A call for a command. */
export const patient =
  <Input, Output>(call: (input: Input, options: CallOptions) => Promise<Output>) =>
  (input: Input): Promise<Output> =>
    call(input, { timeoutMs: commandMs });
