import { type UrlRules, privateTargets, type privateTargetsConfig } from '@tallyport/outbound';
import type { ConfigOf, guardWebhooksConfig, mcpServersConfig } from '@tallyport/service-kit';

type UrlConfig = ConfigOf<typeof guardWebhooksConfig & typeof mcpServersConfig & typeof privateTargetsConfig>;

/** Which URLs accounts may set. Addresses of host names are checked for each connection. */
export interface AccountUrlRules {
  guardWebhookUrls: UrlRules;
  mcpServerUrls: UrlRules;
}

export function accountUrlRules(config: UrlConfig): AccountUrlRules {
  const targets = privateTargets(config.PRIVATE_TARGETS);
  return {
    guardWebhookUrls: { allowLocal: config.GUARD_WEBHOOKS_ALLOW_LOCAL, privateTargets: targets },
    mcpServerUrls: { allowLocal: config.MCP_SERVERS_ALLOW_LOCAL, privateTargets: targets },
  };
}

/** Whether this is a name or an address of this machine. */
export const isLocalHost = (hostname: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
