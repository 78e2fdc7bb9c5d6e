import { errorBody, GatewayError, toGatewayError } from '@tallyport/contracts';
import type { Response } from 'express';
import { toUnavailable } from '../database/database-away.ts';

/** Sends an error in the envelope of all gateway errors, and returns it. */
export function sendApiError(response: Response, thrown: unknown): GatewayError {
  const error = ofBodyReader(thrown) ?? toGatewayError(toUnavailable(thrown));
  const { status, retryAfterMs } = error;
  if (retryAfterMs !== undefined) response.set('retry-after', String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
  if (status === 401) response.set('www-authenticate', 'Bearer realm="tallyport"');
  response.status(status).json(errorBody(error));
  return error;
}

/** Converts express's errors about an unreadable body. */
function ofBodyReader(thrown: unknown): GatewayError | undefined {
  if (!(thrown instanceof Error) || thrown instanceof GatewayError || !('type' in thrown) || !('status' in thrown))
    return undefined;
  if (thrown.type === 'entity.too.large') {
    return new GatewayError('request_too_large', 'The body is larger than 64 KB. Send a smaller one.');
  }
  if (thrown.type === 'entity.parse.failed') {
    return new GatewayError('invalid_json', 'The body is not valid JSON. Check it and send it again.');
  }
  if (typeof thrown.status === 'number' && thrown.status < 500) {
    return new GatewayError('invalid_parameters', 'The body cannot be read. Send plain JSON in UTF-8.');
  }
  return undefined;
}
