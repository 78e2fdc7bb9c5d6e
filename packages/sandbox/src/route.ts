import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderAnswer } from './answer.ts';
import type { FaultDialect } from './dialect.ts';

/** A request that has arrived whole. */
export interface ArrivedRequest {
  readonly provider: string;
  readonly method: string;
  readonly path: string;
  /** What is behind the question mark, undecoded. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Bill {
  readonly prompt: number;
  readonly completion: number;
}

export interface RouteAnswer {
  readonly answer: ProviderAnswer;
  /** The requested model, where it could be read: faults can be limited to one model. */
  readonly model?: string;
  /** How many images a good answer has: what a vendor asks money for. */
  readonly images?: number;
  /** How many tokens a good answer is billed for. */
  readonly tokens?: Bill;
  /** Where one route answers in two ways. */
  readonly dialect?: FaultDialect;
}

/** One operation of one vendor family. A family is a list of these; `server.ts` holds the list of families. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** May name a group `provider`; without one the request counts as `provider`. */
  readonly path: RegExp;
  readonly provider: string;
  /** Whether armed faults apply here. A fault requested by header applies everywhere. */
  readonly faulty: boolean;
  /** How its faults are worded. */
  readonly dialect: FaultDialect;
  answer(request: ArrivedRequest): RouteAnswer;
}
