import type { ResponseHeaders } from './retry-after.ts';

/** An answer with a bad status. */
export interface ErrorAnswer {
  providerId: string;
  status: number;
  headers: ResponseHeaders;
  /** Parsed JSON or text. */
  body: unknown;
}
