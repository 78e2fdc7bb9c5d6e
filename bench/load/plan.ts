import type { Quantiles } from '../measure/stats.ts';

export interface Target {
  host: string;
  port: number;
  /** The whole request, head and body. */
  request: string;
}

/** The load to generate. Every plan is bounded in count or in time. */
export type LoadPlan =
  /** Each of `connections` sends the next request as soon as it has its answer, for `measureMs` after `warmUpMs`. */
  | { kind: 'closed'; target: Target; connections: number; warmUpMs: number; measureMs: number }
  /** The same, for `total` requests and no warm-up. */
  | { kind: 'count'; target: Target; connections: number; total: number }
  /** `perSecond` requests, regardless of pending answers, for `measureMs` after `warmUpMs`. */
  | { kind: 'rate'; target: Target; perSecond: number; warmUpMs: number; measureMs: number }
  /** `streams` are opened over `rampMs`, kept open for `measureMs`, and then closed all at once. */
  | { kind: 'hold'; target: Target; streams: number; rampMs: number; settleMs: number; measureMs: number };

export interface LoadResult {
  kind: 'result';
  requests: number;
  failures: number;
  firstFailure?: string;
  seconds: number;
  bytes: number;
  /** Stamped chunks. */
  chunks: number;
  /** From sending the request to the end of the answer. */
  latencyMs: Quantiles;
  /** The same without the time the upstream waited, according to its stamps. */
  outsideMs: Quantiles;
  /** From sending the request to the first byte of the body. */
  firstByteMs: Quantiles;
  /** From the upstream's stamp to our reading of it. */
  chunkMs: Quantiles;
  /** When the streams were closed, in microseconds of the machine's clock. */
  leftAt: number;
}
