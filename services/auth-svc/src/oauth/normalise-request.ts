import { GatewayError } from '@tallyport/contracts';
import { defaultScope, responseModes } from './scopes.ts';

/**
 * Adds the default scope to `/oauth/authorize`. Many clients send none, which would fail with "no scope was granted".
 */
export function authorizeUrlWithScope(url: string): string {
  const [path = '', query = ''] = splitOnce(url);
  const parameters = new URLSearchParams(query);
  if (parameters.get('scope')?.trim()) return url;
  parameters.set('scope', defaultScope);
  return `${path}?${parameters.toString()}`;
}

/** Throws `invalid_parameters` for an unsupported response mode. */
export function checkResponseMode(url: string): void {
  const [, query = ''] = splitOnce(url);
  const requested = new URLSearchParams(query).getAll('response_mode');
  if (requested.every((mode) => responseModes.includes(mode))) return;
  throw new GatewayError('invalid_parameters', `response_mode must be ${responseModes.join(' or ')}, or omitted.`, {
    param: 'response_mode',
  });
}

/** Adds the default scope to a client credentials request: a token without a scope would be useless. */
export function tokenRequestWithScope(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (body['grant_type'] !== 'client_credentials' || body['scope']) return body;
  return { ...body, scope: defaultScope };
}

function splitOnce(url: string): readonly string[] {
  const at = url.indexOf('?');
  return at < 0 ? [url] : [url.slice(0, at), url.slice(at + 1)];
}
