import type { z } from 'zod';
import type { Access } from './access.ts';

/**
 * An operation of the management API, as data: the router and the OpenAPI document are generated from it. Members of
 * `input` named in the path are read from there, others from the body, or from the query for GET and DELETE.
 */
export interface ApiOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below `/api/v1`. */
  readonly path: `/${string}`;
  readonly summary: string;
  readonly access: Access;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  /** The success status; 200 if absent. */
  readonly status?: 201;
  /** The size limit of the body, if it is more than the usual 64 KiB. */
  readonly maxBodyBytes?: number;
  /** The content type of a streamed response; absent for JSON. */
  readonly contentType?: string;
  /** An example for the API document: a body, with the members of the path, that works on a fresh installation. */
  readonly example?: { readonly summary: string; readonly value: object };
}

export type ApiOperations = Readonly<Record<string, ApiOperation>>;

/** A path in the notation of express. */
export const expressPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');
