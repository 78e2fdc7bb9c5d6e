import type { AnyApiEndpoint } from '@tallyport/management-server';
import { accountEndpoints, type AccountEndpointTools } from '../../accounts/account-endpoints.ts';
import { invitationEndpoints, type InvitationEndpointTools } from '../../accounts/invitation-endpoints.ts';
import { memberEndpoints } from '../../accounts/member-endpoints.ts';
import { auditEndpoints } from '../../audit-log/audit-endpoints.ts';
import { guardWebhookEndpoints, type GuardWebhookEndpointTools } from '../../guard-webhooks/guard-webhook-endpoints.ts';
import { guardrailEndpoints, type GuardrailEndpointTools } from '../../guardrails/guardrail-endpoints.ts';
import { identityEndpoints, type IdentityEndpointTools } from '../../identity/identity-endpoints.ts';
import { keyEndpoints, type KeyEndpointTools } from '../../keys/key-endpoints.ts';
import { mcpServerEndpoints, type McpServerEndpointTools } from '../../mcp-servers/mcp-server-endpoints.ts';
import { oauthEndpoints, type OAuthEndpointTools } from '../../oauth/management/oauth-endpoints.ts';
import { projectEndpoints } from '../../projects/project-endpoints.ts';
import { providerKeyEndpoints, type ProviderKeyEndpointTools } from '../../provider-keys/provider-key-endpoints.ts';
import { revisionEndpoints } from '../../revision/revision-endpoints.ts';
import { routeEndpoints } from '../../routes/route-endpoints.ts';
import { sessionEndpoints } from '../../sessions/session-endpoints.ts';
import type { Sessions } from '../../sessions/sessions.ts';

type ManagementTools = AccountEndpointTools &
  GuardWebhookEndpointTools &
  GuardrailEndpointTools &
  IdentityEndpointTools &
  InvitationEndpointTools &
  KeyEndpointTools &
  McpServerEndpointTools &
  OAuthEndpointTools &
  ProviderKeyEndpointTools & { sessions: Sessions };

/** The operations with their implementations, without those of the ledger. */
export const managementEndpoints = (tools: ManagementTools): AnyApiEndpoint[] => [
  ...accountEndpoints(tools),
  ...auditEndpoints(tools),
  ...guardWebhookEndpoints(tools),
  ...guardrailEndpoints(tools),
  ...identityEndpoints(tools),
  ...invitationEndpoints(tools),
  ...keyEndpoints(tools),
  ...mcpServerEndpoints(tools),
  ...memberEndpoints(tools),
  ...oauthEndpoints(tools),
  ...projectEndpoints(tools),
  ...providerKeyEndpoints(tools),
  ...revisionEndpoints(tools),
  ...routeEndpoints(tools),
  ...sessionEndpoints(tools),
];
