import { z } from 'zod';
import { principalSchema } from './principal.ts';

/** What travels in front of an exchange's body. */
export const requestHeadSchema = z.object({
  requestId: z.string(),
  /** Absent where the operation needs no key. */
  principal: principalSchema.optional(),
  /** Milliseconds the caller still waits; a duration, so that clocks need not agree. */
  timeoutMs: z.number(),
  traceparent: z.string().optional(),
  /** The query string without `?`, where the operation reads one. */
  query: z.string().optional(),
  /** What follows the route's own path, decoded: the id of what is asked for. */
  path: z.string().optional(),
  /** The few client headers services read, lower case: see `relayedHeaders`. */
  headers: z.record(z.string(), z.string()),
});

export type RequestHead = z.infer<typeof requestHeadSchema>;

export const responseHeadSchema = z.object({
  status: z.number(),
  headers: z.record(z.string(), z.string()),
});

export type ResponseHead = z.infer<typeof responseHeadSchema>;

/** The client headers edge hands on. A deny-by-default list: credentials and cookies never travel. */
export const relayedHeaders = [
  'accept',
  'cache-control',
  'content-type',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
  'x-no-cache',
  'x-no-fallback',
] as const;
