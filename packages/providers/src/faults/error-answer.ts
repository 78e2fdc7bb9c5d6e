import type { ResponseHeaders } from './retry-after.ts';

/** A response with an error status. */
export interface ErrorAnswer {
  providerId: string;
  status: number;
  headers: ResponseHeaders;
  /** Parsed JSON, or text. */
  body: unknown;
}
