import type { IncomingHttpHeaders } from 'node:http';
import { GatewayError } from '@tallyport/contracts';

/**
 * Refuses an unsupported content type before the body is read. A missing content type counts as the first accepted one.
 */
export function checkContentType(headers: IncomingHttpHeaders, accepted: readonly string[]): void {
  const declared = headers['content-type'];
  if (declared === undefined || accepted.length === 0) return;
  const type = declared.split(';', 1)[0]!.trim().toLowerCase();
  if (accepted.includes(type)) return;
  const message = `This endpoint accepts ${accepted.join(' or ')}. Set the Content-Type header to ${accepted[0]}.`;
  throw new GatewayError('unsupported_media_type', message);
}
