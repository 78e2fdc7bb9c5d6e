import { type UrlRules, privateTargets } from '@tallyport/outbound';
import type { AuthConfig, AuthWebConfig } from './config.ts';

/** Which URLs accounts may set. Addresses of host names are checked for each connection. */
export interface AccountUrlRules {
  guardWebhookUrls: UrlRules;
  mcpServerUrls: UrlRules;
}

export function accountUrlRules(config: AuthConfig & AuthWebConfig): AccountUrlRules {
  const targets = privateTargets(config.PRIVATE_TARGETS);
  return {
    guardWebhookUrls: { allowLocal: config.GUARD_WEBHOOKS_ALLOW_LOCAL, privateTargets: targets },
    mcpServerUrls: { allowLocal: config.MCP_SERVERS_ALLOW_LOCAL, privateTargets: targets },
  };
}
