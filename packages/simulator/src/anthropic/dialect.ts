import { piece, type FaultDialect } from '@tallyport/sandbox';
import { namedEvent } from '../event.ts';
import { anthropicErrorReply } from './errors.ts';

const overloaded = { type: 'overloaded_error', message: 'Overloaded' };

export const anthropicDialect: FaultDialect = {
  failure: (status, { code, retryAfter } = {}) => {
    const [type, message] = known[status] ?? (status < 500 ? invalid : broken);
    return anthropicErrorReply(
      { status, type: code ?? type, message },
      retryAfter === undefined ? {} : resetHeaders(retryAfter),
    );
  },
  midStream: [namedEvent('error', 'error', { type: 'error', error: overloaded })],
  malformed: piece('delta', 'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"del\n\n'),
  delta: (text) =>
    namedEvent('delta', 'content_block_delta', {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text },
    }),
  comment: namedEvent('comment', 'ping', { type: 'ping' }),
  usageMembers: ['usage'],
};

/** The time at which the rate limit window resets. */
function resetHeaders(retryAfter: number): Record<string, string> {
  const reset = new Date(Date.now() + retryAfter * 1000).toISOString();
  return { 'anthropic-ratelimit-requests-remaining': '0', 'anthropic-ratelimit-requests-reset': reset };
}

const invalid = ['invalid_request_error', 'Simulated: the request is invalid.'] as const;
const broken = ['api_error', 'Internal server error'] as const;

const known: Readonly<Record<number, readonly [type: string, message: string]>> = {
  401: ['authentication_error', 'invalid x-api-key'],
  402: ['billing_error', 'Your credit balance is too low to access the Anthropic API.'],
  403: ['permission_error', 'Your API key does not have permission to use the specified resource.'],
  404: ['not_found_error', 'model: simulated'],
  413: ['request_too_large', 'Request exceeds the maximum allowed number of bytes.'],
  429: ['rate_limit_error', 'This request would exceed the rate limit of your organization.'],
  504: ['timeout_error', 'The request timed out.'],
  529: [overloaded.type, overloaded.message],
};
