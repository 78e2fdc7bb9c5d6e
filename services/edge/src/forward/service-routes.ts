import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WebRoute } from '../http/web-route.ts';
import { createForward, type ForwardOptions } from './forward.ts';
import type { FormReader } from './read-form.ts';
import { refuseUnread, sendUnavailable } from './unavailable.ts';

export interface ServiceRouteOptions extends Pick<
  ForwardOptions,
  'open' | 'publicUrl' | 'addressOf' | 'running' | 'timeoutMs' | 'silenceMs'
> {
  readForm: FormReader;
}

/** A path, with the size limit of its bodies if it is not the usual one. */
export interface ServicePath {
  path: string;
  maxBodyBytes?: number | undefined;
}

/** Routes of a service that answers pages and an API itself, with small bodies. `message`: it does not respond. */
export function serviceRoutes(
  paths: readonly ServicePath[],
  message: string,
  { readForm, ...options }: ServiceRouteOptions,
): readonly WebRoute[] {
  const unreachable = { status: 503, message, send: sendUnavailable };
  const forward = createForward({ ...options, unreachable });

  async function forwardForm(request: IncomingMessage, response: ServerResponse, bytes?: number): Promise<void> {
    const reading = await readForm(request, bytes);
    if (reading.kind === 'refused') return refuseUnread(response, reading.error);
    const requestId = String(response.getHeader('x-request-id'));
    await forward({ request, response, requestId }, { body: reading.body }).finally(reading.release);
  }

  return paths.map(({ path, maxBodyBytes }) => ({
    path,
    handler: (request, response) => void forwardForm(request, response, maxBodyBytes),
  }));
}
