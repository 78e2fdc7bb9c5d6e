import type { ErrorCode, GatewayError } from '../errors.ts';
import type { ErrorForm } from './error-form.ts';

interface MessagesErrorBody {
  type: 'error';
  error: { type: string; message: string; details?: MessagesErrorDetails };
}

/** What a client can act on: the vendor's own code, or the members that are not supported here. */
interface MessagesErrorDetails {
  error_code?: string;
  unsupported?: readonly string[];
}

/** Errors of Anthropic's Messages API. */
export const messagesErrors: ErrorForm = {
  requestIdHeader: 'request-id',
  error: (error, requestId) => ({
    status: error.status,
    body: { ...messagesErrorBody(error), request_id: requestId },
  }),
  lastEvent: (error) => `event: error\ndata: ${JSON.stringify(messagesErrorBody(error))}\n\n`,
};

export function messagesErrorBody(error: GatewayError): MessagesErrorBody {
  const details = detailsOf(error);
  return {
    type: 'error',
    error: { type: typeOf(error.status), message: messageOf(error), ...(details && { details }) },
  };
}

function detailsOf({ code, param }: GatewayError): MessagesErrorDetails | undefined {
  if (code === 'thread_not_found' || code === 'storage_quota_exceeded') return { error_code: code };
  const isUnsupported = code === 'unsupported_parameter' || code === 'unsupported_capability';
  return isUnsupported && param !== undefined ? { unsupported: [param] } : undefined;
}

const types: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [409, 'conflict_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [504, 'timeout_error'],
  [529, 'overloaded_error'],
]);

const typeOf = (status: number): string => types.get(status) ?? (status < 500 ? 'invalid_request_error' : 'api_error');

/** Words by which agents recognise what they can mend: a conversation to be shortened, a model that is not there. */
const beginnings: Readonly<Partial<Record<ErrorCode, string>>> = {
  context_length_exceeded: 'prompt is too long',
  model_not_found: 'model',
};

function messageOf({ code, message }: GatewayError): string {
  const beginning = beginnings[code];
  return beginning === undefined || message.startsWith(beginning) ? message : `${beginning}: ${message}`;
}
