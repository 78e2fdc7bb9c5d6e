import { GatewayError, toGatewayError } from '@tallyport/contracts';
import {
  type BodyReader,
  decodedBody,
  openUpstream,
  type Pools,
  readAll,
  UpstreamFailure,
  type UpstreamHead,
} from '@tallyport/outbound';
import type { BatchFormat, ChatProvider } from '@tallyport/providers';
import { createNetwork } from '../credentials/network.ts';
import { jsonOrText } from '../failure/json-or-text.ts';
import { type OwnRequest, requestTo } from '../targets/request-to.ts';
import type { Target } from '../targets/targets.ts';

/** A vendor whose batches are used, with one of its keys. */
export interface BatchVendor {
  provider: Pick<ChatProvider, 'id' | 'error'>;
  format: BatchFormat;
  target: Target;
}

interface BatchRequestLimits {
  deadlineMs: number;
  maxBytes: number;
}

interface OpenedBody {
  head: UpstreamHead;
  body: BodyReader;
  close(): void;
}

/** The vendor may have received the request, but what it did is not known. */
export class UnclearCall extends GatewayError {}

/** Documents about batches, of which the errors of one may be many. */
const documentLimits: BatchRequestLimits = { deadlineMs: 30_000, maxBytes: 4 * 1024 * 1024 };
const uploadLimits: BatchRequestLimits = { ...documentLimits, deadlineMs: 180_000 };

const limitsFor = ({ body }: OwnRequest): BatchRequestLimits =>
  typeof body === 'string' ? documentLimits : uploadLimits;

/** Sends a request and reads its answer as JSON. Throws the vendor's error, or UnclearCall. */
export async function askVendor(pools: Pools, vendor: BatchVendor, request: OwnRequest): Promise<unknown> {
  const opened = await openBody(pools, { vendor, request, limits: limitsFor(request) });
  try {
    return JSON.parse((await readAll(opened.body)).toString());
  } catch (thrown) {
    throw unclear(vendor, thrown);
  } finally {
    opened.close();
  }
}

interface BodyRequest {
  vendor: BatchVendor;
  request: OwnRequest;
  limits: BatchRequestLimits;
  signal?: AbortSignal | undefined;
}

/** Opens an answer with a success status; `close` ends it early. */
export async function openBody(pools: Pools, { vendor, request, limits, signal }: BodyRequest): Promise<OpenedBody> {
  const { target } = vendor;
  const wire = requestTo(target, request);
  Object.assign(wire.headers, await target.authorize?.(wire, createNetwork(pools)));
  let wasSent = false;
  const call = openUpstream(pools, wire, {
    maxBytes: limits.maxBytes,
    onSent: () => void (wasSent = true),
    onUnread: () => void (wasSent = false),
  });
  const leave = (): void => call.abort(new UpstreamFailure('left', 'was left'));
  const timer = setTimeout(() => call.abort(late(limits)), limits.deadlineMs);
  signal?.addEventListener('abort', leave, { once: true });
  const close = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
    leave();
  };
  try {
    const head = await call.head();
    const body = decodedBody(call, head.headers, limits.maxBytes);
    if (head.status >= 200 && head.status < 300) return { head, body, close };
    throw await refusalOf(vendor, head, body);
  } catch (thrown) {
    close();
    throw wasSent && !(thrown instanceof GatewayError) ? unclear(vendor, thrown) : asError(vendor, thrown);
  }
}

const late = ({ deadlineMs }: BatchRequestLimits): UpstreamFailure =>
  new UpstreamFailure('first_byte_timeout', `did not answer within ${deadlineMs} ms`);

/** With an error of its own, the vendor may have done what it was asked. */
async function refusalOf(
  vendor: BatchVendor,
  { status, headers }: UpstreamHead,
  body: BodyReader,
): Promise<GatewayError> {
  const text = (await readAll(body)).toString();
  const error = vendor.provider.error(status, headers, jsonOrText(text));
  return status >= 500 ? unclear(vendor, error) : error;
}

function asError({ provider }: BatchVendor, thrown: unknown): GatewayError {
  if (!(thrown instanceof UpstreamFailure)) return toGatewayError(thrown);
  return new GatewayError('upstream_error', `${provider.id} ${thrown.message}.`, { cause: thrown });
}

const unclear = ({ provider }: BatchVendor, cause: unknown): UnclearCall =>
  new UnclearCall('upstream_error', `${provider.id} did not say what it did with a batch.`, { cause });
