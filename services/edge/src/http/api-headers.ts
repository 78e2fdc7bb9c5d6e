import type { IncomingMessage } from 'node:http';
import { corsHeaders } from './cors.ts';
import { noSniffing } from './security-headers.ts';

const forPages = { ...noSniffing, ...corsHeaders };

/**
 * Headers of every API response. Only pages need the CORS headers, and they name their origin. Caches may store the
 * response to a GET request and give it to a page, so it always has them.
 */
export const apiHeaders = ({ headers, method }: IncomingMessage): Readonly<Record<string, string>> =>
  headers.origin !== undefined || method === 'GET' ? forPages : noSniffing;
