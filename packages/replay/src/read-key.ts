import { createHash } from 'node:crypto';
import { GatewayError, type RequestHead } from '@switchyard/contracts';

/** The Idempotency-Key of a request. */
export interface OnceKey {
  /** The name of its stored result; it includes the account, so accounts cannot read each other's. */
  name: string;
  accountId: string;
  /** The API key of the request. */
  keyId: string;
  /** The last event that the client has received; absent if it has none. */
  after: number | undefined;
}

const visible = /^[\x21-\x7e]{1,255}$/;
const eventId = /^\d{1,9}$/;

/** `undefined` for a request without a key. Throws `invalid_parameters` for an invalid one. */
export function readOnceKey({ headers, principal }: RequestHead): OnceKey | undefined {
  const { 'idempotency-key': key, 'last-event-id': last } = headers;
  if (key === undefined || principal === undefined) return undefined;
  if (!visible.test(key)) {
    throw invalid('Idempotency-Key', 'must be 1 to 255 visible ASCII characters, such as a UUID');
  }
  if (last !== undefined && !eventId.test(last))
    throw invalid('Last-Event-ID', 'must be the id of an event of this stream');
  const hash = createHash('sha256').update(key).digest('base64url');
  const { accountId, keyId } = principal;
  return { name: `once:${accountId}:${hash}`, accountId, keyId, after: last === undefined ? undefined : Number(last) };
}

const invalid = (header: string, what: string): GatewayError =>
  new GatewayError('invalid_parameters', `${header} ${what}.`, { param: header });
