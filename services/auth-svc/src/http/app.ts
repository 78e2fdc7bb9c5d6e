import { GatewayError } from '@tallyport/contracts';
import { refuseNulInAddress } from '@tallyport/pages';
import { askedFrom, errorHandler } from '@tallyport/management-server';
import express, { type Express, type Router } from 'express';
import { oauthRoutes, type OAuthRoutesTools } from './oauth/routes.ts';
import { type AlertAddressTools, alertAddressRoutes } from './pages/alert-addresses.ts';
import { consentRoutes } from './pages/consent.ts';
import { linkRoutes, type LinkTools } from './pages/links.ts';
import { type ProviderSignInTools, providerSignInRoutes } from './pages/provider-sign-in.ts';
import { signInRoutes } from './pages/sign-in.ts';

interface AppTools extends AlertAddressTools, LinkTools, OAuthRoutesTools, ProviderSignInTools {
  /** The router of `/api/v1`, which sends its own errors. */
  managementApi?: Router | undefined;
  /** Throws `unavailable` until the database is prepared. */
  ready(): void;
  /** Called for errors that are not the client's fault. */
  onFailure(error: GatewayError, route: string): void;
}

/** The web app of auth-svc. It gets requests from edge only. */
export function authApp(tools: AppTools): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // The X-Forwarded-* headers say where edge has the request from.
  app.set('trust proxy', true);

  app.use(refuseNulInAddress);
  app.use((request, _response, next) => askedFrom(request.ip ?? '', next));
  app.use((_request, _response, next) => {
    tools.ready();
    next();
  });
  if (tools.managementApi) app.use('/api/v1', tools.managementApi);
  app.use(signInRoutes(tools));
  app.use(providerSignInRoutes(tools));
  app.use(linkRoutes(tools));
  app.use(alertAddressRoutes(tools));
  app.use(consentRoutes(tools));
  app.use(oauthRoutes(tools));
  app.use(() => {
    throw new GatewayError('not_found', 'This page does not exist. Check the address.');
  });
  app.use(errorHandler(tools.onFailure));
  return app;
}
