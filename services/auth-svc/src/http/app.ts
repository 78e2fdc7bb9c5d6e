import { GatewayError } from '@switchyard/contracts';
import express, { type Express, type Router } from 'express';
import { assetRoutes } from './assets.ts';
import { dashboard } from './dashboard/dashboard.ts';
import { dashboardRoutes, type DashboardTools } from './dashboard/routes.ts';
import { errorHandler } from './errors.ts';
import { oauthRoutes, type OAuthRoutesTools } from './oauth/routes.ts';
import { consentRoutes } from './pages/consent.ts';
import { linkRoutes, type LinkTools } from './pages/links.ts';
import { signInRoutes } from './pages/sign-in.ts';

export interface AppTools extends DashboardTools, LinkTools, OAuthRoutesTools {
  /** `/api/v1`, which tells its errors itself. */
  managementApi?: Router | undefined;
  /** Throws while nothing can be answered yet. */
  ready(): void;
  /** For what is not the visitor's fault. */
  onFailure(error: GatewayError, route: string): void;
}

/** Everything of auth-svc that is HTTP by nature; edge hands it on. */
export function authApp(tools: AppTools): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Only edge reaches us, and it overwrites what clients say of themselves.
  app.set('trust proxy', true);

  app.use('/assets', assetRoutes());
  app.use((_request, _response, next) => {
    tools.ready();
    next();
  });
  if (tools.managementApi) app.use('/api/v1', tools.managementApi);
  app.use(signInRoutes(tools));
  app.use(dashboardRoutes(dashboard, tools));
  app.use(linkRoutes(tools));
  app.use(consentRoutes(tools));
  app.use(oauthRoutes(tools));
  app.use(() => {
    throw new GatewayError('not_found', 'There is no page at this address. Check it for typing errors.');
  });
  app.use(errorHandler(tools.onFailure));
  return app;
}
