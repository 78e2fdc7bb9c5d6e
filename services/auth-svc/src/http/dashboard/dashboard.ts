import type { DashboardRoute } from './visit.ts';
import { keyRoutes } from './keys.ts';

/** Every page of the dashboard, section by section. */
export const dashboard: readonly DashboardRoute[] = [...keyRoutes];
