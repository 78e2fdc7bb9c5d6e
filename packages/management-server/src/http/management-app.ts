import { GatewayError } from '@tallyport/contracts';
import { refuseNulInAddress } from '@tallyport/pages';
import express, { type Express, type Router } from 'express';
import { askedFrom } from '../audit/asked-from.ts';
import { errorHandler } from './errors.ts';

export interface ManagementAppTools {
  /** The router of `/api/v1`, which sends its own errors. */
  managementApi?: Router | undefined;
  /** The pages beside it. */
  pages: readonly Router[];
  /** Throws `unavailable` until the database is prepared. */
  ready(): void;
  /** Called for errors that are not the client's fault. */
  onFailure(error: GatewayError, route: string): void;
}

/** The web app of a service: the management API and pages. It gets requests from edge only. */
export function managementApp({ managementApi, pages, ready, onFailure }: ManagementAppTools): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // The X-Forwarded-* headers say where edge has the request from.
  app.set('trust proxy', true);

  app.use(refuseNulInAddress);
  app.use((request, _response, next) => askedFrom(request.ip ?? '', next));
  app.use((_request, _response, next) => {
    ready();
    next();
  });
  if (managementApi) app.use('/api/v1', managementApi);
  for (const page of pages) app.use(page);
  app.use(() => {
    throw new GatewayError('not_found', 'This page does not exist. Check the address.');
  });
  app.use(errorHandler(onFailure));
  return app;
}
