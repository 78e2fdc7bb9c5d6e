import type { GatewayError, Principal, UsageOperation, UsageRecord } from '@tallyport/contracts';
import { createRecordRefusal } from '@tallyport/limits';

/** A request that edge refused before a service saw it. */
interface RefusedAtEdge {
  requestId: string;
  principal: Principal;
  operation: UsageOperation;
  durationMs: number;
}

export interface RefusedRequests {
  /** Records the refusal, or leaves it out of a flood. Waits for nothing and never throws. */
  record(request: RefusedAtEdge, error: GatewayError): void;
}

interface RefusedRequestsTools {
  /** Writes a record to the journal. */
  append(record: UsageRecord): Promise<void>;
  /** The journal did not accept a record, or too many wait for it. */
  onLost(error: unknown): void;
}

/** Records that wait for the journal at once. While it is away, a refusal is not worth more memory than this. */
export const mostPending = 100;

export function openRefusedRequests({ append, onLost }: RefusedRequestsTools): RefusedRequests {
  let pending = 0;
  const send = (record: UsageRecord): void => {
    if (pending >= mostPending) return onLost(new Error(`${mostPending} records wait for the journal.`));
    pending += 1;
    void append(record)
      .catch(onLost)
      .finally(() => (pending -= 1));
  };
  // Edge has no catalogue, and a refused request no price.
  const recordRefusal = createRecordRefusal({ record: send, priceVersion: () => '' });
  return {
    record: ({ requestId, principal, operation, durationMs }, error) =>
      recordRefusal({ head: { requestId, principal }, operation, durationMs }, error),
  };
}
