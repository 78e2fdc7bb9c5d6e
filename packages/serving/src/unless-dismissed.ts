import { type IncomingExchange, RequestDismissed } from '@tallyport/bus';

/**
 * Calls `record` unless another replica has the request. A replica that was suspended asks first: its own limits of time
 * passed meanwhile, and the refusal that follows from them is none of the client's.
 */
export function unlessDismissed(
  { signal, stillWanted }: Pick<IncomingExchange, 'signal' | 'stillWanted'>,
  record: () => void,
): void {
  const decide = (): void => {
    if (!(signal.reason instanceof RequestDismissed)) record();
  };
  const asked = stillWanted?.();
  if (asked === undefined) decide();
  else void asked.then(decide);
}
