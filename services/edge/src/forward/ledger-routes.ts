import { ledgerPart } from '@tallyport/management';
import type { WebRoute } from '../http/web-route.ts';
import { pathsOfPart } from './paths-of-part.ts';
import { serviceRoutes, type ServiceRouteOptions } from './service-routes.ts';

/** The paths of ledger-svc: its part of the management API, and the page that confirms an address for alerts. */
const paths = [{ path: '/alert-addresses/*rest' }, ...pathsOfPart(ledgerPart)];

/** A report over many months may take as long as its statements may. */
const longestSilenceMs = 30_000;

/** The routes that ledger-svc answers. They precede those of auth-svc, which has the rest of the management API. */
export const ledgerRoutes = (options: ServiceRouteOptions): readonly WebRoute[] =>
  serviceRoutes(paths, 'The ledger is not responding. Try again in a moment.', {
    silenceMs: longestSilenceMs,
    ...options,
  });
