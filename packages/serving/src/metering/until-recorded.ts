import { toGatewayError } from '@tallyport/contracts';
import type { RequestReservation } from './reservation.ts';
import { nothingUsed } from './usage/settlement.ts';

/**
 * Serves a request that the gateway makes by itself and that `serve` settles: a failure is settled as well. Resolves or
 * rejects once the record is written.
 */
export async function untilRecorded<Served>(
  reserved: Pick<RequestReservation, 'recorded' | 'settle'>,
  startedAt: number,
  serve: () => Promise<Served>,
): Promise<Served> {
  try {
    return await serve();
  } catch (thrown) {
    const durationMs = performance.now() - startedAt;
    reserved.settle({ ...nothingUsed, durationMs, endReason: 'error', error: toGatewayError(thrown) });
    throw thrown;
  } finally {
    await reserved.recorded();
  }
}
