import { piece, type Reply } from '../answer.ts';
import { errorReply, type ApiError } from '../openai/errors.ts';
import { FaultSyntaxError, wholeNumber, type FaultKind, type FaultSpec } from './fault.ts';

/**
 * Answers with an error status and the body OpenAI has for it.
 * `retry-after` in seconds, `retry-after-ms`, `code` for another error code, `body=html` for a proxy's error page.
 */
export const statusKind: FaultKind = {
  name: 'status',
  usage: 'status:<code>[;retry-after=<s>][;retry-after-ms=<ms>][;code=<error code>][;body=html]',
  options: ['retry-after', 'retry-after-ms', 'code', 'body'],
  build: (spec) => {
    const status = wholeNumber(spec, { minimum: 400, maximum: 599 });
    const reply = bodyOf(status, spec);
    const headers = { ...reply.headers, ...retryHeaders(spec) };
    return () => ({ ...reply, headers });
  },
};

function bodyOf(status: number, { options }: FaultSpec): Reply {
  if (options.body === 'html') return htmlReply(status);
  if (options.body !== undefined) throw new FaultSyntaxError("Fault 'status' knows only body=html.");
  return errorReply(errorOf(status, options.code));
}

function retryHeaders({ options }: FaultSpec): Record<string, string> {
  const names = ['retry-after', 'retry-after-ms'] as const;
  return Object.fromEntries(names.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])));
}

function htmlReply(status: number): Reply {
  const page = `<html>\r\n<head><title>${status}</title></head>\r\n<body><center><h1>${status}</h1></center></body>\r\n</html>\r\n`;
  return {
    ...errorReply(errorOf(status, undefined)),
    headers: { 'content-type': 'text/html' },
    pieces: [piece('body', page)],
  };
}

type Words = Omit<ApiError, 'status' | 'param'>;

const invalid = (message: string, code: string | null): Words => ({ message, type: 'invalid_request_error', code });

const known: Readonly<Record<number, Words>> = {
  400: invalid('Invalid request: simulated.', null),
  401: invalid('Incorrect API key provided: sim***. (simulated)', 'invalid_api_key'),
  402: { message: 'Payment required: simulated.', type: 'insufficient_quota', code: 'insufficient_quota' },
  403: invalid('Country, region, or territory not supported', 'unsupported_country_region_territory'),
  404: invalid('The model `simulated` does not exist or you do not have access to it.', 'model_not_found'),
  408: { message: 'Request timed out: simulated.', type: 'timeout_error', code: null },
  413: invalid('Request body is too large: simulated.', 'request_too_large'),
  422: invalid('Unprocessable request: simulated.', null),
  429: { message: 'Rate limit reached for requests: simulated.', type: 'requests', code: 'rate_limit_exceeded' },
  503: { message: 'The model is overloaded: simulated.', type: 'service_unavailable_error', code: 'overloaded' },
  529: { message: 'Overloaded', type: 'overloaded_error', code: null },
};

/** 429 has two meanings, told apart by their code only: one passes with time, the other does not. */
const quota: Words = {
  message: 'You exceeded your current quota, please check your plan and billing details.',
  type: 'insufficient_quota',
  code: 'insufficient_quota',
};

const serverError: Words = {
  message: 'The server had an error while processing your request. Sorry about that!',
  type: 'server_error',
  code: null,
};

function errorOf(status: number, code: string | undefined): ApiError {
  const words = code === quota.code ? quota : (known[status] ?? (status < 500 ? known[400] : serverError));
  return { status, param: null, ...(words ?? serverError), ...(code !== undefined && { code }) };
}
