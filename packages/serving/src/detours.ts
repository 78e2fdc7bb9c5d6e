import { hash } from 'node:crypto';
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

/** The id of the record of a line that a vendor's batch has answered: settled twice, it is counted once. */
export const recordIdOfLine = ({ id, line }: NonNullable<RequestHead['batch']>): string =>
  `use_${hash('sha256', `${id} line ${line}`).slice(0, 32)}`;
