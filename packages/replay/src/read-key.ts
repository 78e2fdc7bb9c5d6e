import { createHash } from 'node:crypto';
import { GatewayError, type RequestHead } from '@switchyard/contracts';

/** A request that may be sent again. */
export interface OnceKey {
  /** Of what is kept for it: no account gets at another's. */
  name: string;
  /** The events its client has already; all are new to it when absent. */
  after: number | undefined;
}

const visible = /^[\x21-\x7e]{1,255}$/;
const eventId = /^\d{1,9}$/;

/** `undefined` for a request without a key. Throws `invalid_parameters` for one that is none. */
export function readOnceKey({ headers, principal }: RequestHead): OnceKey | undefined {
  const { 'idempotency-key': key, 'last-event-id': last } = headers;
  if (key === undefined || principal === undefined) return undefined;
  if (!visible.test(key)) {
    throw invalid('Idempotency-Key', 'must be 1 to 255 visible ASCII characters, such as a UUID');
  }
  if (last !== undefined && !eventId.test(last)) throw invalid('Last-Event-ID', 'must be the id of an event of ours');
  const hash = createHash('sha256').update(key).digest('base64url');
  return { name: `once:${principal.accountId}:${hash}`, after: last === undefined ? undefined : Number(last) };
}

const invalid = (header: string, what: string): GatewayError =>
  new GatewayError('invalid_parameters', `${header} ${what}.`, { param: header });
