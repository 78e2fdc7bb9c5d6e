import { defaultScope } from './scopes.ts';

/** `/oauth/authorize` without a scope would end with "no scope was granted": many clients send none. */
export function authorizeUrlWithScope(url: string): string {
  const [path = '', query = ''] = splitOnce(url);
  const parameters = new URLSearchParams(query);
  if (parameters.get('scope')?.trim()) return url;
  parameters.set('scope', defaultScope);
  return `${path}?${parameters.toString()}`;
}

/** A token for client credentials without a scope could do nothing. */
export function tokenRequestWithScope(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (body['grant_type'] !== 'client_credentials' || body['scope']) return body;
  return { ...body, scope: defaultScope };
}

function splitOnce(url: string): readonly string[] {
  const at = url.indexOf('?');
  return at < 0 ? [url] : [url.slice(0, at), url.slice(at + 1)];
}
