import { type GatewayError, responsesErrors } from '@tallyport/contracts';
import { retryHeaders } from '../../http/retry-headers.ts';

/** An event that is JSON text, with the lane of its request. */
export const inLane = (event: Buffer, laneMember: Buffer | undefined): Buffer =>
  laneMember === undefined ? event : Buffer.concat([laneMember, event.subarray(event.indexOf('{') + 1)]);

/** What `inLane` puts at the start of an event. */
export const laneMemberOf = (lane: string | undefined): Buffer | undefined =>
  lane === undefined ? undefined : Buffer.from(`{"stream_id":${JSON.stringify(lane)},`);

interface FailedRequest {
  lane: string | undefined;
  requestId: string;
  /** Those that a response would have. */
  headers?: Readonly<Record<string, string>>;
}

/** The error of a request that never became a response, with what HTTP has in the status and in headers. */
export function errorEvent(error: GatewayError, { lane, requestId, headers = {} }: FailedRequest): Buffer {
  const { status, body } = responsesErrors.error(error, requestId);
  return refusalEvent({ status, headers: { ...headers, ...retryHeaders(error) }, body }, { lane, requestId });
}

interface Refusal {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** A document with the member `error`. */
  body: unknown;
}

/** Headers that belong to a connection or to the bytes of a body. */
const kept = /^(retry-after|x-should-retry|ratelimit|x-ratelimit)/;

export function refusalEvent(
  { status, headers, body }: Refusal,
  { lane, requestId }: Pick<FailedRequest, 'lane' | 'requestId'>,
): Buffer {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : body;
  const named = Object.fromEntries(Object.entries(headers).filter(([name]) => kept.test(name)));
  const event = {
    type: 'error',
    ...(lane !== undefined && { stream_id: lane }),
    status,
    error: { ...(error as object), headers: { ...named, 'x-request-id': requestId } },
  };
  return Buffer.from(JSON.stringify(event));
}
