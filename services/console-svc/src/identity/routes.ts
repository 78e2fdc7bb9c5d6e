import type { DashboardRoute } from '../screen/route.ts';
import { identityPage } from './view.ts';

export const identityRoutes: readonly DashboardRoute[] = [
  {
    method: 'get',
    path: '/identity',
    section: 'identity',
    answer: async ({ ask }) => ({ title: 'Identity', body: identityPage(await ask('readIdentity')) }),
  },
];
