import { networkOf } from '@tallyport/limits';
import type { IncomingMessage } from 'node:http';
import { type GatewayError, toGatewayError } from '@tallyport/contracts';
import type { ClientAddress } from '../authenticate/client-address.ts';
import { createMemoryBudget } from '../http/memory-budget.ts';
import { declaredLength } from '../http/unread-body.ts';
import { readWholeBody } from '../relay/read-body.ts';

/** The largest body that most pages and operations of the management API accept. */
const usualBytes = 64 * 1024;
/** Forms need no key, so they have a separate budget that takes nothing from the API. */
const total = { bytes: 64 * 1024 ** 2 };
/** The share of one address, or of one IPv6 network. */
const perAddress = 4 * 1024 ** 2;

type FormReading =
  | { kind: 'read'; body: Uint8Array; release(): void }
  /** The rest of the body is not read. */
  | { kind: 'refused'; error: GatewayError };

/** `bytes` is the largest body, if it is not the usual one. */
export type FormReader = (request: IncomingMessage, bytes?: number) => Promise<FormReading>;

/** Reads the complete body of a request, within a limit, before a service is called. */
export function createFormReader(addressOf: ClientAddress): FormReader {
  const memory = createMemoryBudget({ total, perHolder: perAddress });

  return async (request, bytes = usualBytes) => {
    let release = (): void => {};
    try {
      const holder = networkOf(addressOf(request));
      const reservation = memory.reserve({ declaredBytes: declaredLength(request) ?? 0, holder, largest: { bytes } });
      release = reservation.release;
      return { kind: 'read', body: await readWholeBody(request, reservation), release };
    } catch (thrown) {
      release();
      return { kind: 'refused', error: toGatewayError(thrown) };
    }
  };
}
