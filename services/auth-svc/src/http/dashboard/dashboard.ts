import { accountRoutes } from './account.ts';
import { accountsRoutes } from './accounts.ts';
import { auditRoutes } from './audit.ts';
import { keyRoutes } from './keys.ts';
import { memberRoutes } from './members.ts';
import { oauthClientRoutes } from './oauth-clients.ts';
import { profileRoutes } from './profile.ts';
import { providerKeyRoutes } from './provider-keys.ts';
import { usageRoutes } from './usage.ts';
import type { DashboardRoute } from './dashboard-route.ts';

/** All pages of the dashboard, by section. */
export const dashboard: readonly DashboardRoute[] = [
  ...keyRoutes,
  ...usageRoutes,
  ...providerKeyRoutes,
  ...memberRoutes,
  ...oauthClientRoutes,
  ...accountRoutes,
  ...auditRoutes,
  ...accountsRoutes,
  ...profileRoutes,
];
