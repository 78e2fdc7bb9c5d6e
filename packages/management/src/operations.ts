import { accountOperations } from './accounts/account-operations.ts';
import { invitationOperations } from './accounts/invitation-operations.ts';
import { memberOperations } from './accounts/member-operations.ts';
import { alertOperations } from './alerts/alert-operations.ts';
import { auditOperations } from './audit/audit-operations.ts';
import { accountBatchOperations } from './batches/account-batch-operations.ts';
import { budgetOperations } from './budgets/budget-operations.ts';
import { contentOperations } from './contents/content-operations.ts';
import { endUserOperations } from './end-users/end-user-operations.ts';
import { guardWebhookOperations } from './guard-webhooks/guard-webhook-operations.ts';
import { guardrailOperations } from './guardrails/guardrail-operations.ts';
import { identityOperations } from './identity/identity-operations.ts';
import { keyOperations } from './keys/key-operations.ts';
import { mcpServerOperations } from './mcp-servers/mcp-server-operations.ts';
import { oauthOperations } from './oauth-clients/oauth-client-operations.ts';
import type { ApiOperations } from './operation.ts';
import { projectOperations } from './projects/project-operations.ts';
import { providerKeyOperations } from './provider-keys/provider-key-operations.ts';
import { providerOperations } from './providers/provider-operations.ts';
import { reconciliationOperations } from './reconciliations/reconciliation-operations.ts';
import { requestOperations } from './requests/request-operations.ts';
import { revisionOperations } from './revision/revision-operations.ts';
import { routeOperations } from './routes/route-operations.ts';
import { routeUsageOperations } from './routes/route-usage-operations.ts';
import { sessionOperations } from './sessions/session-operations.ts';
import { analyticsOperations } from './usage/analytics-operations.ts';
import { usageOperations } from './usage/usage-operations.ts';

/** All operations of the management API as data, for the router and the OpenAPI document. */
export const managementOperations = {
  ...accountOperations,
  ...alertOperations,
  ...analyticsOperations,
  ...auditOperations,
  ...accountBatchOperations,
  ...budgetOperations,
  ...contentOperations,
  ...endUserOperations,
  ...guardWebhookOperations,
  ...guardrailOperations,
  ...identityOperations,
  ...invitationOperations,
  ...keyOperations,
  ...mcpServerOperations,
  ...memberOperations,
  ...oauthOperations,
  ...projectOperations,
  ...providerKeyOperations,
  ...providerOperations,
  ...reconciliationOperations,
  ...requestOperations,
  ...revisionOperations,
  ...routeOperations,
  ...routeUsageOperations,
  ...sessionOperations,
  ...usageOperations,
} as const satisfies ApiOperations;

export type ManagementOperations = typeof managementOperations;
