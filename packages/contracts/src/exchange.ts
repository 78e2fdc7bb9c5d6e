import { z } from 'zod';
import { findingSchema } from './guardrails.ts';
import { principalSchema } from './principal.ts';

/** Header values by name. Every head on the bus has some, and `z.record` would run two schemas for each of them. */
const headersSchema = z
  .custom<Record<string, string>>(isHeaders)
  .meta({ type: 'object', propertyNames: { type: 'string' }, additionalProperties: { type: 'string' } });

function isHeaders(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every((text) => typeof text === 'string');
}

/** Sent before the body of an exchange. */
export const requestHeadSchema = z.object({
  requestId: z.string(),
  /** Absent for operations that need no key. */
  principal: principalSchema.optional(),
  /** How much longer the caller waits. A duration rather than a time, so that clocks need not agree. */
  timeoutMs: z.number(),
  traceparent: z.string().optional(),
  /** The query string without `?`, for operations that read it. */
  query: z.string().optional(),
  /** The rest of the path after the route, decoded: the id of the requested resource. */
  path: z.string().optional(),
  /** The client headers in `relayedHeaders`; names in lower case. */
  headers: headersSchema,
  /** What the caller's guardrails did to the body. Set by the service that reads it. */
  findings: z.array(findingSchema).optional(),
});

export type RequestHead = z.infer<typeof requestHeadSchema>;

export const responseHeadSchema = z.object({
  status: z.number(),
  headers: headersSchema,
});

export type ResponseHead = z.infer<typeof responseHeadSchema>;

/** The client headers that edge passes on. All others are dropped, so credentials and cookies never reach the bus. */
export const relayedHeaders = [
  'accept',
  'accept-encoding',
  'anthropic-beta',
  // Marks clients of Anthropic's API.
  'anthropic-version',
  'cache-control',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
  // Marks clients of Google's API.
  'x-goog-api-client',
  'x-no-cache',
  'x-no-fallback',
] as const;
