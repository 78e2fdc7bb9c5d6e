import { GatewayError } from '@switchyard/contracts';
import { checkUrl, UrlRefusal, type UrlRules } from '@switchyard/dispatch';
import type { McpServerChanges } from '@switchyard/management';

/**
 * Throws `invalid_parameters` for a URL that mcp-svc would not connect to. The addresses of a host name are checked for
 * each connection.
 */
export function checkServerUrls({ url, auth }: Pick<McpServerChanges, 'url' | 'auth'>, rules: UrlRules): void {
  if (url !== undefined) check(url, 'url', rules);
  if (auth?.type === 'client_credentials') check(auth.tokenUrl, 'auth.tokenUrl', rules);
}

function check(text: string, param: string, rules: UrlRules): void {
  try {
    checkUrl(text, rules);
  } catch (cause) {
    if (!(cause instanceof UrlRefusal)) throw cause;
    throw new GatewayError('invalid_parameters', `\`${param}\`: must be an https URL at a public address.`, {
      param,
      cause,
    });
  }
}
