import { accountEndpoints, type AccountEndpointTools } from '../accounts/account-endpoints.ts';
import { accountOperations } from '../accounts/account-operations.ts';
import { invitationEndpoints, type InvitationEndpointTools } from '../accounts/invitation-endpoints.ts';
import { invitationOperations } from '../accounts/invitation-operations.ts';
import { memberEndpoints } from '../accounts/member-endpoints.ts';
import { memberOperations } from '../accounts/member-operations.ts';
import { auditEndpoints } from '../audit/audit-endpoints.ts';
import { auditOperations } from '../audit/audit-operations.ts';
import { keyEndpoints } from '../keys/key-endpoints.ts';
import { keyOperations } from '../keys/key-operations.ts';
import { oauthOperations } from '../oauth/management/client-operations.ts';
import { oauthEndpoints, type OAuthEndpointTools } from '../oauth/management/oauth-endpoints.ts';
import { usageEndpoints } from '../ledger/usage-endpoints.ts';
import { usageOperations } from '../ledger/usage-operations.ts';
import { providerKeyEndpoints, type ProviderKeyEndpointTools } from '../provider-keys/provider-key-endpoints.ts';
import { providerKeyOperations } from '../provider-keys/provider-key-operations.ts';
import { sessionEndpoints } from '../sessions/session-endpoints.ts';
import { sessionOperations } from '../sessions/session-operations.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { AnyApiEndpoint, ApiOperations } from './operation.ts';

/** All operations of the management API as data, for the router and the OpenAPI document. */
export const managementOperations = {
  ...accountOperations,
  ...auditOperations,
  ...invitationOperations,
  ...keyOperations,
  ...memberOperations,
  ...oauthOperations,
  ...providerKeyOperations,
  ...sessionOperations,
  ...usageOperations,
} as const satisfies ApiOperations;

export type ManagementTools = AccountEndpointTools &
  InvitationEndpointTools &
  OAuthEndpointTools &
  ProviderKeyEndpointTools & { sessions: Sessions };

/** All operations with their implementations. */
export const managementEndpoints = (tools: ManagementTools): AnyApiEndpoint[] => [
  ...accountEndpoints(tools),
  ...auditEndpoints(tools),
  ...invitationEndpoints(tools),
  ...keyEndpoints(tools),
  ...memberEndpoints(tools),
  ...oauthEndpoints(tools),
  ...providerKeyEndpoints(tools),
  ...sessionEndpoints(tools),
  ...usageEndpoints(tools),
];
