import { type IncomingExchange, RequestDismissed } from '@tallyport/bus';
import { afterSending } from '@tallyport/service-kit';

/**
 * Calls `record` unless another replica has the request. A replica that was suspended asks first: its own limits of time
 * passed meanwhile, and the refusal that follows from them is none of the client's. It may be suspended between the
 * refusal and its response as well, so it decides once the response was sent.
 */
export function unlessDismissed(
  { signal, stillWanted }: Pick<IncomingExchange, 'signal' | 'stillWanted'>,
  record: () => void,
): void {
  const decide = (): void => {
    if (!(signal.reason instanceof RequestDismissed)) record();
  };
  const asked = stillWanted?.();
  if (asked !== undefined) void asked.then(decide);
  else afterSending(() => void Promise.resolve(stillWanted?.()).then(decide));
}

/**
 * Asks whether the caller still wants the request; if not, `signal` aborts and this throws. Otherwise a replica that was
 * suspended could start a request that another one has answered meanwhile. Returns `undefined` if there is nothing to ask.
 */
export const refuseIfUnwanted = (exchange: IncomingExchange, signal: AbortSignal): Promise<void> | undefined =>
  exchange.stillWanted?.()?.then(() => signal.throwIfAborted());

/** Reports that the request is paid for here, so that no other replica gets it, and asks as above. */
export function claimRequest(exchange: IncomingExchange, signal: AbortSignal): Promise<void> | undefined {
  const confirmed = exchange.confirm?.();
  const ask = (): Promise<void> | undefined => refuseIfUnwanted(exchange, signal);
  return confirmed === undefined ? ask() : confirmed.then(ask);
}
