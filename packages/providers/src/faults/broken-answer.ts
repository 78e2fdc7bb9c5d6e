import { GatewayError } from '@switchyard/contracts';

/** The vendor answered, but not in its own format: its fault, and worth a try elsewhere. */
export const unreadableAnswer = (providerId: string, detail: string): GatewayError =>
  new GatewayError('upstream_error', `${providerId} sent an answer that cannot be read.`, {
    domain: 'provider',
    detail,
  });

export const truncatedStream = (providerId: string): GatewayError =>
  new GatewayError('stream_truncated', `${providerId} ended the stream before the answer was complete.`, {
    domain: 'provider',
  });
