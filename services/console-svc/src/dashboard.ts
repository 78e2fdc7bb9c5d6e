import { accountRoutes } from './account/routes.ts';
import { accountsRoutes } from './accounts/routes.ts';
import { analyticsRoutes } from './analytics/routes.ts';
import { alertRoutes } from './alerts/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { batchPages } from './batches/routes.ts';
import { budgetRoutes } from './budgets/routes.ts';
import { endUserRoutes } from './end-users/routes.ts';
import { jumpRoutes } from './jump/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { modelRoutes } from './models/routes.ts';
import { guardrailRoutes } from './guardrails/routes.ts';
import { identityRoutes } from './identity/routes.ts';
import { mcpServerRoutes } from './mcp-servers/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { oauthClientRoutes } from './apps/routes.ts';
import { overviewRoutes } from './overview/routes.ts';
import { profileRoutes } from './profile/routes.ts';
import { playgroundRoutes } from './playground/routes.ts';
import { projectRoutes } from './projects/routes.ts';
import { providerRoutes } from './providers/routes.ts';
import { providerKeyRoutes } from './provider-keys/routes.ts';
import { themeRoutes } from './theme/routes.ts';
import { timeZoneRoutes } from './time-zone/routes.ts';
import { reconciliationRoutes } from './reconciliations/routes.ts';
import { requestRoutes } from './requests/routes.ts';
import { accountRoutePages } from './routes/routes.ts';
import { routingRoutes } from './routing/routes.ts';
import type { DashboardRoute } from './screen/route.ts';

/** All pages of the dashboard, by section. */
export const dashboard: readonly DashboardRoute[] = [
  ...overviewRoutes,
  ...analyticsRoutes,
  ...endUserRoutes,
  ...keyRoutes,
  ...projectRoutes,
  ...requestRoutes,
  ...batchPages,
  ...providerRoutes,
  ...accountRoutePages,
  ...routingRoutes,
  ...playgroundRoutes,
  ...modelRoutes,
  ...providerKeyRoutes,
  ...mcpServerRoutes,
  ...guardrailRoutes,
  ...memberRoutes,
  ...oauthClientRoutes,
  ...accountRoutes,
  ...budgetRoutes,
  ...alertRoutes,
  ...reconciliationRoutes,
  ...identityRoutes,
  ...auditRoutes,
  ...accountsRoutes,
  ...profileRoutes,
  ...themeRoutes,
  ...timeZoneRoutes,
  ...jumpRoutes,
];
