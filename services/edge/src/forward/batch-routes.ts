import { batchPart } from '@tallyport/management';
import type { WebRoute } from '../http/web-route.ts';
import { pathsOfPart } from './paths-of-part.ts';
import { serviceRoutes, type ServiceRouteOptions } from './service-routes.ts';

/** The routes of the management API that batch-svc answers. They precede those of auth-svc, which has the rest. */
export const batchRoutes = (options: ServiceRouteOptions): readonly WebRoute[] =>
  serviceRoutes(pathsOfPart(batchPart), 'Batches are not available right now. Try again in a moment.', options);
