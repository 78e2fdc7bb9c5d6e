import { createSamples } from '../measure/stats.ts';
import type { LoadResult } from './plan.ts';

/** Collects the measurements of all connections. Before `begin`, only failures and first bytes are kept. */
export interface Recorder {
  begin(): void;
  answered(times: { latencyMs: number; outsideMs: number }): void;
  firstByte(milliseconds: number): void;
  chunk(milliseconds: number): void;
  received(bytes: number): void;
  failed(reason: string): void;
  result(): LoadResult;
}

export function createRecorder(): Recorder {
  const latency = createSamples();
  const outside = createSamples();
  const firstByte = createSamples();
  const chunks = createSamples();
  const total = { requests: 0, failures: 0, chunks: 0, bytes: 0 };
  let beganAt = performance.now();
  let firstFailure: string | undefined;

  return {
    begin() {
      beganAt = performance.now();
      for (const samples of [latency, outside, chunks]) samples.clear();
      Object.assign(total, { requests: 0, chunks: 0, bytes: 0 });
    },
    answered({ latencyMs, outsideMs }) {
      total.requests++;
      latency.add(latencyMs);
      outside.add(outsideMs);
    },
    firstByte: firstByte.add,
    chunk(milliseconds) {
      total.chunks++;
      chunks.add(milliseconds);
    },
    received(bytes) {
      total.bytes += bytes;
    },
    failed(reason) {
      total.failures++;
      firstFailure ??= reason;
    },
    result: () => ({
      kind: 'result',
      ...total,
      ...(firstFailure !== undefined && { firstFailure }),
      seconds: (performance.now() - beganAt) / 1e3,
      latencyMs: latency.quantiles(),
      outsideMs: outside.quantiles(),
      firstByteMs: firstByte.quantiles(),
      chunkMs: chunks.quantiles(),
      leftAt: 0,
    }),
  };
}
