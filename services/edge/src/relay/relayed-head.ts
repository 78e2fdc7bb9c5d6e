import type { IncomingMessage } from 'node:http';
import { relayedHeaders, type RequestHead, routeHeaderPrefix } from '@tallyport/contracts';
import type { TrackedRequest } from '../request-context.ts';
import { partAt, type PathPlace } from './path-place.ts';
import type { RelayedRequest } from './relayed-request.ts';

interface HeadOptions {
  /** The open part of the path; absent for routes without one. */
  place?: PathPlace | undefined;
  timeoutMs: number;
  /** Whether the service gets the limits of the caller. */
  isDeferrable?: true | undefined;
}

/** What a service gets of a request before its body. */
export function relayedHead<Context extends TrackedRequest>(
  { request, context, principal, limits }: RelayedRequest<Context>,
  { place, timeoutMs, isDeferrable }: HeadOptions,
): RequestHead {
  const { requestId, query, traceparent } = context;
  return {
    requestId,
    principal,
    timeoutMs,
    traceparent,
    query: query === '' ? undefined : query,
    ...(isDeferrable && limits && { rights: { limits } }),
    ...(place && namedBy(place, request.url ?? '')),
    headers: pickHeaders(request),
  };
}

const namedBy = (place: PathPlace, url: string): { path: string } | { model: string } =>
  place.meaning === 'model' ? { model: partAt(place, url) } : { path: partAt(place, url) };

/** In the `user-agent` of OpenRouter's SDKs, which expect answers in its form. That of other clients stays here. */
const openRouter = ['@openrouter/', '/openrouter/'] as const;

function pickHeaders({ headers }: IncomingMessage): Record<string, string> {
  const picked: Record<string, string> = {};
  for (const name of relayedHeaders) {
    const value = headers[name];
    if (typeof value === 'string') picked[name] = value;
  }
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith(routeHeaderPrefix) && typeof value === 'string') picked[name] = value;
  }
  const agent = headers['user-agent'];
  if (agent !== undefined && openRouter.some((mark) => agent.includes(mark))) picked['user-agent'] = agent;
  return picked;
}
