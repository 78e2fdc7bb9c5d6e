import type { McpServerChanges } from '@tallyport/management';
import type { UrlRules } from '@tallyport/outbound';
import { checkPublicUrl } from '@tallyport/management-server';

/** Throws `invalid_parameters` for a URL to which mcp-svc would not connect. */
export function checkServerUrls({ url, auth }: Pick<McpServerChanges, 'url' | 'auth'>, rules: UrlRules): void {
  if (url !== undefined) checkPublicUrl(url, 'url', rules);
  if (auth?.type === 'client_credentials') checkPublicUrl(auth.tokenUrl, 'auth.tokenUrl', rules);
}
