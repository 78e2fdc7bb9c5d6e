import { type ErrorBody, GatewayError, isErrorCode } from '@tallyport/contracts';

/** The error that an error body was made from. */
export function errorOfBody({ error }: ErrorBody, status?: number): GatewayError {
  const code = isErrorCode(error.code) ? error.code : 'internal_error';
  return new GatewayError(code, error.message, {
    ...(error.param !== null && { param: error.param }),
    ...(status !== undefined && { status }),
    ...(error.attempts && { attempts: error.attempts }),
    ...(error.provider && { provider: error.provider }),
  });
}
