import { z } from 'zod';
import { findingSchema } from './guardrails.ts';
import { principalSchema } from './principal.ts';

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
  headers: z.record(z.string(), z.string()),
  /** What the caller's guardrails did to the body. Set by the service that reads it. */
  findings: z.array(findingSchema).optional(),
});

export type RequestHead = z.infer<typeof requestHeadSchema>;

export const responseHeadSchema = z.object({
  status: z.number(),
  headers: z.record(z.string(), z.string()),
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
