import { GatewayError } from '@tallyport/contracts';
import { refuseNulInAddress, sendErrorPage } from '@tallyport/pages';
import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Response } from 'express';
import { type ConsoleEvents, type MeasuredSection, otherSection } from '../events.ts';
import type { DashboardRoute } from '../screen/route.ts';
import { pageMessage } from '../screen/page-message.ts';
import { dashboardRouter, type DashboardTools } from './router.ts';
import type { PageFailed } from './send-answer.ts';
import { verifyEdge } from './verify-edge.ts';

interface ConsoleTools extends Omit<DashboardTools, 'onFailure'> {
  routes: readonly DashboardRoute[];
  /** The internal secrets. Requests without a valid signature of edge are refused. */
  edgeSecrets: readonly string[];
  events: ConsoleEvents;
}

/** The web app of console-svc. Edge forwards requests to it. */
export function consoleApp({ routes, edgeSecrets, events, ...tools }: ConsoleTools): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // The X-Forwarded-* headers have been replaced with the values edge signed.
  app.set('trust proxy', true);

  app.use(follow(events));
  app.use(verifyEdge(edgeSecrets));
  app.use(refuseNulInAddress);
  const onFailure = noteFailure(events);
  app.use(dashboardRouter(routes, { ...tools, onFailure }));
  app.use(() => {
    throw new GatewayError('not_found', 'This page does not exist. Check the address.');
  });
  app.use(errorHandler(events));
  return app;
}

/** Measures each request when its response closes. */
const follow =
  (events: ConsoleEvents): RequestHandler =>
  (_request, response, next) => {
    const startedAt = performance.now();
    response.once('close', () => {
      const durationMs = performance.now() - startedAt;
      const status: number = response.locals['failedWith'] ?? response.statusCode;
      events.pageEnded({ section: sectionOf(response), status, durationMs });
    });
    next();
  };

/** The router notes the section of the page it found. */
const sectionOf = ({ locals }: Response): MeasuredSection => locals['section'] ?? otherSection;

function errorHandler(events: ConsoleEvents): ErrorRequestHandler {
  // oxlint-disable-next-line max-params -- express knows an error handler by its four parameters
  return (thrown, _request, response, next) => {
    if (response.headersSent) return next(thrown);
    noteFailure(events)(response, sendErrorPage(response, thrown, pageMessage));
  };
}

/** A page whose frame has been sent has the status 200, but is counted by its error. */
const noteFailure =
  (events: ConsoleEvents): PageFailed =>
  (response, error) => {
    response.locals['failedWith'] = error.status;
    if (error.status >= 500) events.pageFailed(error, sectionOf(response));
  };
