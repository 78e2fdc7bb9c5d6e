import { GatewayError, toGatewayError } from '@switchyard/contracts';
import { messagePage, sendPage } from '@switchyard/pages';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { toUnavailable } from '../database/database-away.ts';
import { sendApiError } from './api/send-api-error.ts';

/** Sends an error page to browsers, and the API's error to programs. */
export function errorHandler(onFailure: (error: GatewayError, route: string) => void): ErrorRequestHandler {
  // oxlint-disable-next-line max-params -- express knows an error handler by its four parameters
  return (thrown, request: Request, response, next) => {
    if (response.headersSent) return next(thrown);
    const error = wantsPage(request) ? sendErrorPage(response, thrown) : sendApiError(response, thrown);
    if (error.status >= 500) onFailure(error, request.path.split('/').slice(0, 3).join('/'));
  };
}

const wantsPage = (request: Request): boolean => request.accepts(['json', 'html']) === 'html';

const titles: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Page not found',
  429: 'Too many attempts',
  503: 'Temporarily unavailable',
};

function sendErrorPage(response: Response, thrown: unknown): GatewayError {
  const error = clientFault(thrown) ?? toGatewayError(toUnavailable(thrown));
  const { status, message: text, retryAfterMs } = error;
  if (retryAfterMs !== undefined) response.set('retry-after', String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
  const title = titles[status] ?? (status < 500 ? 'Request failed' : 'Something went wrong');
  sendPage(response, messagePage({ title, text }), { status });
  return error;
}

/** express sets `status` on errors that the client caused, such as a form that is too large. */
function clientFault(thrown: unknown): GatewayError | undefined {
  const status =
    thrown instanceof Error && !(thrown instanceof GatewayError) && 'status' in thrown ? thrown.status : 500;
  if (typeof status !== 'number' || status >= 500) return undefined;
  return new GatewayError('invalid_parameters', 'The request cannot be read. Go back and try again.', {
    cause: thrown,
  });
}
