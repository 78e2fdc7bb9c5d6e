import { createHash } from 'node:crypto';

export interface RequestContent {
  /** What is asked for: one key is one request, not one for each endpoint. */
  operation: string;
  contentType: string | undefined;
  body: Uint8Array;
}

/** Equal for the same request sent again. A form is sent again with another boundary, so that does not count. */
export function requestFingerprint({ operation, contentType = '', body }: RequestContent): string {
  const hash = createHash('sha256').update(`${operation}\n`);
  const boundary = /^multipart\/.*;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const mark = boundary?.[1] ?? boundary?.[2];
  if (mark === undefined) return hash.update(body).digest('base64url');
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  let from = 0;
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, from)) {
    hash.update(bytes.subarray(from, at)).update('\0');
    from = at + Buffer.byteLength(mark);
  }
  return hash.update(bytes.subarray(from)).digest('base64url');
}
