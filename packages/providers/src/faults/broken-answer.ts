import { GatewayError } from '@tallyport/contracts';

/** The vendor answered, but not in its own format. This is a provider fault, so another offer may be tried. */
export const unreadableAnswer = (providerId: string, detail: string): GatewayError =>
  new GatewayError('upstream_error', `${providerId} sent an answer that cannot be read.`, {
    domain: 'provider',
    detail,
  });

/** The content so far belongs to another message, and half a tool call would pass for a whole one. */
export const secondMessage = (providerId: string): GatewayError =>
  unreadableAnswer(providerId, 'A message began in the middle of another one.');

export const truncatedStream = (providerId: string): GatewayError =>
  new GatewayError('stream_truncated', `${providerId} ended the stream before the answer was complete.`, {
    domain: 'provider',
  });
