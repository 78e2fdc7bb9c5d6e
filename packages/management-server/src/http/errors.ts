import type { GatewayError } from '@tallyport/contracts';
import { sendErrorPage } from '@tallyport/pages';
import type { ErrorRequestHandler, Request } from 'express';
import { toUnavailable } from '../database/database-away.ts';
import { sendApiError } from './send-api-error.ts';

/** Sends an error page to browsers, and the API's error to programs. */
export function errorHandler(onFailure: (error: GatewayError, route: string) => void): ErrorRequestHandler {
  // oxlint-disable-next-line max-params -- express knows an error handler by its four parameters
  return (thrown, request: Request, response, next) => {
    if (response.headersSent) return next(thrown);
    const error = wantsPage(request) ? sendErrorPage(response, toUnavailable(thrown)) : sendApiError(response, thrown);
    if (error.status >= 500) onFailure(error, request.path.split('/').slice(0, 3).join('/'));
  };
}

const wantsPage = (request: Request): boolean => request.accepts(['json', 'html']) === 'html';
