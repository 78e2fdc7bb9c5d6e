import { z } from 'zod';
import { lineOfBatchSchema } from './batch-line.ts';
import { callerSchema } from './caller.ts';
import { endUserHeader } from './end-user.ts';
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

/** Where a request comes from, as edge sees it. */
export const visitorSchema = z.object({
  /** The client's IP address. */
  address: z.string(),
  /** The origin under which the client reaches the gateway, for example `https://gateway.example.com`. */
  publicOrigin: z.url(),
});

export type Visitor = z.infer<typeof visitorSchema>;

/** The request line and origin of an HTTP request, for services that answer HTTP themselves. */
const httpRequestSchema = visitorSchema.extend({
  method: z.string(),
  /** The path with its query, exactly as the client wrote it. */
  url: z.string(),
});

/** What a service that applies limits and scopes itself needs to know about the caller beside the principal. */
const callerRightsSchema = callerSchema.pick({ limits: true }).extend({
  /** OAuth tokens only; absent for keys, which have every scope. */
  scopes: z.array(z.string()).optional(),
});

export type CallerRights = z.infer<typeof callerRightsSchema>;

/** A WebSocket is closed after this time, and what was made on it is forgotten. */
export const longestSocketMs = 3_600_000;

/** The WebSocket of a request. */
const socketSchema = z.object({
  /** Cannot be guessed: what was made on a socket is found with it, and with nothing else. */
  id: z.string(),
  /** The request makes no response: it prepares one that continues it. */
  prepares: z.literal(true).optional(),
});

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
  /** The model in an address of Azure's API. It replaces the one in the body. */
  model: z.string().optional(),
  /** Set for operations that answer HTTP themselves. */
  http: httpRequestSchema.optional(),
  rights: callerRightsSchema.optional(),
  socket: socketSchema.optional(),
  /** Set for the lines of batches: they run when those whose clients wait leave room. */
  batch: lineOfBatchSchema.optional(),
  /**
   * Client headers; names in lower case. With `http`, all that the operation may see, otherwise those in
   * `relayedHeaders` and those that begin with `routeHeaderPrefix`.
   */
  headers: headersSchema,
  /** What the caller's guardrails did to the body. Set by the service that reads it. */
  findings: z.array(findingSchema).optional(),
});

export type RequestHead = z.infer<typeof requestHeadSchema>;

export const responseHeadSchema = z.object({
  status: z.number(),
  headers: headersSchema,
  /** The `Set-Cookie` headers: the only ones that cannot be joined into one. */
  setCookie: z.array(z.string()).optional(),
});

export type ResponseHead = z.infer<typeof responseHeadSchema>;

/** The client headers that edge passes on to APIs that read few of them. Credentials and cookies are not among them. */
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
  'openai-beta',
  endUserHeader,
  'x-fallback',
  'x-fallback-models',
  // Marks clients of Google's API.
  'x-goog-api-client',
  'x-no-cache',
  'x-no-fallback',
  'x-provider-preferences',
] as const;

/** The headers that the conditions of routes may read begin with it. */
export const routeHeaderPrefix = 'x-route-';

/** What a line of a batch has cost, in USD. Of no other request. */
export const costHeader = 'x-tallyport-cost';

/** What a batch of its vendor saved at a line, in USD. Of no other request. */
export const savedHeader = 'x-tallyport-saved';

/** Headers that describe one connection, not the message. */
const connectionHeaders: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

export const isConnectionHeader = (name: string): boolean => connectionHeaders.has(name);
