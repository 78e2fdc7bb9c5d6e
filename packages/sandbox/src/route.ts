import type { IncomingHttpHeaders } from 'node:http';
import type { ProviderAnswer } from './answer.ts';
import type { FaultDialect } from './dialect.ts';
import type { Metered } from './model/metered.ts';

/** A completely received request. */
export interface ArrivedRequest {
  readonly provider: string;
  readonly method: string;
  readonly path: string;
  /** The raw query string. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface RouteAnswer {
  readonly answer: ProviderAnswer;
  /** The requested model, if it could be read: faults can be limited to one model. */
  readonly model?: string;
  /** The number of images in a good answer, which a vendor would bill. */
  readonly images?: number;
  /** What a vendor would bill for a good answer. */
  readonly metered?: Metered;
  /** For a route with two formats. */
  readonly dialect?: FaultDialect;
}

/** One operation of a vendor family. A family is a list of routes; `server.ts` has the list of families. */
export interface VendorRoute {
  readonly method: 'GET' | 'POST';
  /** May have a group named `provider`, which the request is counted under. */
  readonly path: RegExp;
  readonly provider: string;
  /** Whether armed faults apply. A fault requested by header always applies. */
  readonly faulty: boolean;
  /** The format of its faults. */
  readonly dialect: FaultDialect;
  answer(request: ArrivedRequest): RouteAnswer;
}
