import type { Quantiles } from '../measure/stats.ts';

export interface Target {
  host: string;
  port: number;
  /** The whole request, head and body. */
  request: string;
}

/** What the generator does. Every plan is bounded in count or in time. */
export type LoadPlan =
  /** `connections` ask again as soon as they are answered, for `measureMs` after `warmUpMs`. */
  | { kind: 'closed'; target: Target; connections: number; warmUpMs: number; measureMs: number }
  /** The same, for `total` requests and no warm-up. */
  | { kind: 'count'; target: Target; connections: number; total: number }
  /** `perSecond` requests whatever the answers take, for `measureMs` after `warmUpMs`. */
  | { kind: 'rate'; target: Target; perSecond: number; warmUpMs: number; measureMs: number }
  /** `streams` are opened over `rampMs`, kept for `measureMs` and then all left at once. */
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
  /** The same without what the upstream says it waited itself. */
  outsideMs: Quantiles;
  /** From sending the request to the first byte of the body. */
  firstByteMs: Quantiles;
  /** From the upstream's stamp to our reading of it. */
  chunkMs: Quantiles;
  /** When all streams were left, in microseconds of the machine's clock. */
  leftAt: number;
}

export type LoadMessage = { kind: 'measuring' } | LoadResult | { kind: 'broken'; message: string };
