import type { GatewayError, UsageOperation } from '@tallyport/contracts';
import type { RefusedRequests } from '../refusals/refused-requests.ts';
import type { TrackedRequest } from '../request-context.ts';
import type { RelayedRequest } from './relayed-request.ts';

export interface RefusalTools {
  /** What a refused request is recorded as; absent for requests that cost nothing. */
  operation?: UsageOperation | undefined;
  refused: RefusedRequests;
}

/** Records a request that was refused here. The others are recorded by the service that has them. */
export function recordRefusal<Context extends TrackedRequest>(
  relayed: RelayedRequest<Context>,
  error: GatewayError,
  { operation, refused }: RefusalTools,
): void {
  const { principal, isOpened, context } = relayed;
  if (principal === undefined || operation === undefined || isOpened) return;
  refused.record({ requestId: context.requestId, durationMs: relayed.elapsedMs(), principal, operation }, error);
}
