import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { proxyTo } from '../proxy/proxy.ts';
import type { Outcome, Passage } from '../relay/relay.ts';
import { refuseMcp } from './refuse.ts';
import type { Targets } from '../proxy/targets.ts';

export interface ForwardOptions {
  targets: Targets;
  publicUrl(request: IncomingMessage): URL;
}

/** The clients' secrets stop here: mcp-svc learns who is calling from the headers edge adds. */
const credentials = ['authorization', 'x-api-key', 'cookie'];
const clientClosedRequest = 499;

/** Hands requests on to one of mcp-svc's replicas, any of which can answer any request. */
export function createForward({ targets, publicUrl }: ForwardOptions) {
  const underway = new WeakMap<IncomingMessage, Underway>();
  const proxy = proxyTo({
    async target(request) {
      const target = await targets.next();
      const passing = underway.get(request);
      if (passing) passing.target = target;
      return target;
    },
    strip: credentials,
    headers: (request) => underway.get(request)?.headers ?? {},
    publicUrl,
    onUnreachable(response, error) {
      const passing = underway.get(response.req);
      if (passing) passing.failed = error;
      if (passing?.target !== undefined) targets.suspect(passing.target);
      refuseMcp(response, error);
    },
  });

  return async ({ request, response }: Passage, headers: Readonly<Record<string, string>>): Promise<Outcome> => {
    const passing: Underway = { headers };
    underway.set(request, passing);
    const closed = once(response, 'close');
    void proxy(request, response);
    await closed;
    return { status: statusOf(response), ...(passing.failed && { error: passing.failed }) };
  };
}

interface Underway {
  headers: Readonly<Record<string, string>>;
  target?: string;
  failed?: NonNullable<Outcome['error']>;
}

const statusOf = (response: ServerResponse): number =>
  response.headersSent ? response.statusCode : clientClosedRequest;
