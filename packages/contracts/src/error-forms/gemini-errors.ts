import type { GatewayError } from '../errors.ts';
import type { ErrorForm } from './error-form.ts';

interface GeminiErrorBody {
  error: { code: number; message: string; status: string; details?: object[] };
}

/** Errors of Google's Gemini API. */
export const geminiErrors: ErrorForm = {
  error(error, requestId) {
    const body = geminiErrorBody(error, requestId);
    return { status: body.error.code, body };
  },
  lastEvent: (error) => `data: ${JSON.stringify(geminiErrorBody(error))}\n\n`,
};

export function geminiErrorBody(error: GatewayError, requestId?: string): GeminiErrorBody {
  const code = statusOf(error);
  const details = detailsOf(error, requestId);
  return {
    error: { code, message: error.message, status: nameOf(code, error), ...(details.length > 0 && { details }) },
  };
}

/** A wrong key is 400 in this API, and so is an account without credit. It has no status 529. */
function statusOf({ code, status }: GatewayError): number {
  if (code === 'invalid_api_key' || status === 402) return 400;
  return status === 529 ? 503 : status;
}

const names: ReadonlyMap<number, string> = new Map([
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [409, 'ABORTED'],
  [429, 'RESOURCE_EXHAUSTED'],
  [499, 'CANCELLED'],
  [500, 'INTERNAL'],
  [504, 'DEADLINE_EXCEEDED'],
]);

function nameOf(code: number, { status }: GatewayError): string {
  if (status === 402) return 'FAILED_PRECONDITION';
  return names.get(code) ?? (code < 500 ? 'INVALID_ARGUMENT' : 'UNAVAILABLE');
}

const typeOf = (name: string): string => `type.googleapis.com/google.rpc.${name}`;

function detailsOf({ code, message, param, retryAfterMs }: GatewayError, requestId: string | undefined): object[] {
  return [
    ...(code === 'invalid_api_key'
      ? [{ '@type': typeOf('ErrorInfo'), reason: 'API_KEY_INVALID', domain: 'googleapis.com' }]
      : []),
    ...(param === undefined
      ? []
      : [{ '@type': typeOf('BadRequest'), fieldViolations: [{ field: param, description: message }] }]),
    ...(retryAfterMs === undefined
      ? []
      : [{ '@type': typeOf('RetryInfo'), retryDelay: `${Math.ceil(retryAfterMs / 1000)}s` }]),
    ...(requestId === undefined ? [] : [{ '@type': typeOf('RequestInfo'), requestId }]),
  ];
}
