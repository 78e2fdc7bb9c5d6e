import type { RequestHead } from '@tallyport/contracts';
import type { Detour } from '@tallyport/dispatch';

/** The requests whose call is made by a batch of the vendor, while they are served. */
export interface CallDetours {
  /** Serves a request whose call is not simply sent. */
  take<Result>(head: RequestHead, detour: Detour, serve: () => Promise<Result>): Promise<Result>;
  of(head: RequestHead): Detour | undefined;
}

export function createCallDetours(): CallDetours {
  const byRequest = new Map<string, Detour>();
  return {
    async take({ requestId }, detour, serve) {
      byRequest.set(requestId, detour);
      try {
        return await serve();
      } finally {
        byRequest.delete(requestId);
      }
    },
    of: ({ requestId, batch }) => (batch === undefined ? undefined : byRequest.get(requestId)),
  };
}
