import { GatewayError, type RequestHead } from '@tallyport/contracts';
import { base64Length, type HoldBytes } from '@tallyport/dispatch';
import { createByteBudget, type Lease, type PaidRequest } from '@tallyport/serving';
import { type Metering, type RequestReservation, untilRecorded } from '@tallyport/serving/metering';
import type { Metrics } from '@tallyport/service-kit';
import { copiesOfRequest } from '../copies-of-request.ts';

interface Shadow {
  head: RequestHead;
  /** The size of the request. */
  bytes: number;
  plan(holdBytes: HoldBytes): Promise<PaidRequest>;
}

/** Requests whose answers are thrown away. No client waits for them. */
export interface Shadows {
  /** Sends it in a later turn of the event loop, or drops it if there are too many. Never throws. */
  start(shadow: Shadow): void;
  /** Counts one that cannot be sent. */
  refused(): void;
  /** Ends all of them, and resolves once they are recorded. No other one starts. */
  stop(): Promise<void>;
}

interface ShadowOptions {
  metering: Pick<Metering, 'reserve'>;
  metrics: Metrics;
  /** At a time. */
  most?: number;
  /** Of requests and answers together. */
  mostBytes?: number;
}

const results = ['answered', 'failed', 'refused', 'dropped'] as const;
type Result = (typeof results)[number];

export function openShadows({ metering, metrics, most = 32, mostBytes = 64 * 1024 * 1024 }: ShadowOptions): Shadows {
  const counted = metrics.counter({
    name: 'gateway_shadow_requests_total',
    help: 'Requests that routes sent to a shadow as well. refused: it could not serve them, or its project could not pay; dropped: too many were running.',
    labels: { result: results },
  });
  const count = (result: Result): void => counted.with({ result }).increment();
  const memory = createByteBudget(mostBytes, 'shadows');
  const running = new Map<AbortController, Promise<void>>();
  let isStopped = false;

  async function run(shadow: Shadow, lease: Lease, left: AbortController): Promise<void> {
    const deadline = setTimeout(() => left.abort(tooLate()), shadow.head.timeoutMs);
    try {
      await nextTurn();
      count(await send(metering, shadow, { lease, signal: left.signal }));
    } catch {
      count('refused');
    } finally {
      clearTimeout(deadline);
      lease.release();
      running.delete(left);
    }
  }

  return {
    start(shadow) {
      const bytes = copiesOfRequest * shadow.bytes;
      if (isStopped || running.size >= most || memory.held() + bytes > mostBytes) return count('dropped');
      const lease = memory.lease();
      lease.take(bytes);
      const left = new AbortController();
      running.set(left, run(shadow, lease, left));
    },
    refused: () => count('refused'),
    async stop() {
      isStopped = true;
      const ending = [...running.values()];
      for (const left of running.keys()) left.abort(stopping());
      await Promise.all(ending);
    },
  };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

interface Sending {
  lease: Lease;
  signal: AbortSignal;
}

async function send(metering: ShadowOptions['metering'], shadow: Shadow, sending: Sending): Promise<Result> {
  const { lease, signal } = sending;
  const request = await shadow.plan((bytes) => lease.take(copiesOfRequest * base64Length(bytes)));
  const { plan, planMs, stream, tierAsked } = request;
  const asked = { head: shadow.head, operation: 'chat', plan, planMs, stream, tierAsked, signal } as const;
  const reserved = await metering.reserve({ ...asked, cache: 'bypass', neverWaits: true }, request.estimate);
  if ('error' in reserved) return 'refused';
  const answering = untilRecorded(reserved, performance.now(), () => answer(request, reserved, sending));
  return answering.then<Result, Result>(
    () => 'answered',
    () => 'failed',
  );
}

/** Reads the answer to its end. */
async function answer(request: PaidRequest, reserved: RequestReservation, { lease, signal }: Sending): Promise<void> {
  const { content } = await request.attempt({
    signal,
    settle: reserved.settle,
    holdAnswer(bytes) {
      lease.take(bytes);
      return undefined;
    },
  });
  if (content.kind !== 'stream') return;
  while ((await content.source.read()) !== undefined);
}

const tooLate = (): GatewayError => new GatewayError('deadline_exceeded', 'The shadow took too long.');
const stopping = (): GatewayError => new GatewayError('unavailable', 'The service is stopping.');
