import type { IncomingHttpHeaders } from 'node:http';
import { GatewayError } from '@switchyard/contracts';

/** A body of a kind the route cannot read is refused before it is read. No content type at all is taken as the first. */
export function checkContentType(headers: IncomingHttpHeaders, accepted: readonly string[]): void {
  const declared = headers['content-type'];
  if (declared === undefined || accepted.length === 0) return;
  const type = declared.split(';', 1)[0]!.trim().toLowerCase();
  if (accepted.includes(type)) return;
  const message = `This takes ${accepted.join(' or ')}. Send it with "content-type: ${accepted[0]}".`;
  throw new GatewayError('unsupported_media_type', message);
}
