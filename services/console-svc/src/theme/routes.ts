import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';
import { themeCookie } from './cookie.ts';

export const themeRoutes: readonly DashboardRoute[] = [
  { method: 'post', path: '/theme', section: undefined, answer: chooseTheme },
];

/** Back to the page on which the theme was chosen, which is one of this account. */
async function chooseTheme({ base, fields }: DashboardRequest): Promise<DashboardResponse> {
  const { theme, page = '' } = fields;
  const to = page.startsWith(`${base}/`) ? page.slice(base.length) : '/overview';
  return { to, cookie: themeCookie(theme) };
}
