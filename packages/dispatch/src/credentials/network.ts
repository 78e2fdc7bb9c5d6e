import { type Pools, UpstreamFailure, type WireRequest, openUpstream, readAll } from '@tallyport/outbound';

/** How credentials make requests of their own, over the same connections as all others. */
export interface Network {
  /** Rejects with UpstreamFailure if the answer is not complete before the deadline. */
  send(request: WireRequest): Promise<{ status: number; text: string }>;
}

interface NetworkLimits {
  deadlineMs: number;
  maxBytes: number;
}

const usualLimits: NetworkLimits = { deadlineMs: 10_000, maxBytes: 64 * 1024 };

export const createNetwork = (pools: Pools, { deadlineMs, maxBytes } = usualLimits): Network => ({
  async send(request) {
    const call = openUpstream(pools, request, { maxBytes });
    const timer = setTimeout(() => {
      call.abort(new UpstreamFailure('first_byte_timeout', `returned no credentials within ${deadlineMs} ms`));
    }, deadlineMs);
    try {
      const { status } = await call.head();
      return { status, text: (await readAll(call)).toString('utf8') };
    } finally {
      clearTimeout(timer);
    }
  },
});
