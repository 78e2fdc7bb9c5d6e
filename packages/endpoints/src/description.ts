import type { ErrorCode } from '@tallyport/contracts';
import type { z } from 'zod';

/**
 * What the API document says about an endpoint, with the schemas that its service reads requests by. Path, method, key and
 * content types are those of its row in the table of contracts; so are the headers and errors that all paid endpoints share.
 */
export interface EndpointDescription {
  /** The id of the operation. */
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** What it reads from its path and its query. */
  readonly parameters?: readonly Parameter[];
  /** The headers that it reads, besides those that every paid endpoint reads. */
  readonly headers?: readonly RequestHeader[];
  /** Keyed by content type: those that its row in the table accepts. */
  readonly body?: Readonly<Record<string, DescribedBody>>;
  /** Keyed by status. */
  readonly answers: Readonly<Record<string, DescribedAnswer>>;
  /** Its errors, besides those of every paid endpoint. */
  readonly failures?: readonly ErrorCode[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly schema: z.ZodType;
  readonly example?: string;
}

export type RequestHeader =
  | 'X-Fallback'
  | 'X-Fallback-Models'
  | 'X-No-Fallback'
  | 'X-Provider-Preferences'
  | 'X-No-Cache'
  | 'X-End-User'
  | 'Idempotency-Key'
  | 'Last-Event-ID'
  | 'If-None-Match';

export interface DescribedBody {
  readonly schema: z.ZodType;
  readonly examples?: Readonly<Record<string, Example>>;
}

/** A request that works on a fresh installation. Tests send every example. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

export interface DescribedAnswer {
  readonly description: string;
  /** Keyed by content type. */
  readonly content?: Readonly<Record<string, DescribedContent>>;
  /** Headers of the answer, besides those of every paid endpoint. */
  readonly headers?: readonly string[];
}

export interface DescribedContent {
  readonly schema: z.ZodType;
  /** The answer is a stream of events; `schema` describes each event. */
  readonly events?: true;
}
