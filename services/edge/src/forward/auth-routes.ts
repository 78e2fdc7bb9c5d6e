import type { WebRoute } from '../http/web-route.ts';
import { serviceRoutes, type ServiceRouteOptions } from './service-routes.ts';

/** The paths of auth-svc: sign-in, OAuth and the management API. */
const authPaths = [
  '/sign-in{/*rest}',
  '/sign-out',
  '/setup/*rest',
  '/invitations/*rest',
  '/passwords/*rest',
  '/oauth/*rest',
  '/api/v1/*rest',
  '/.well-known/oauth-authorization-server{/*rest}',
  '/.well-known/openid-configuration{/*rest}',
];

/** Checking a password takes a fifth of a second and may queue behind thirty others. */
const longestSilenceMs = 30_000;

/** The routes that auth-svc answers. */
export const authRoutes = (options: ServiceRouteOptions): readonly WebRoute[] =>
  serviceRoutes(
    authPaths.map((path) => ({ path })),
    'The sign-in service is not responding. Try again in a moment.',
    {
      silenceMs: longestSilenceMs,
      ...options,
    },
  );
