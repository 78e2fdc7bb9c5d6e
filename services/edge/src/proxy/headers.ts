import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** Hop-by-hop headers: they describe one connection, not the message. */
const connectionHeaders: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

export interface OnwardHeaders {
  publicUrl: URL;
  /** Headers set by edge. They replace the client's headers of the same name. */
  added: Readonly<Record<string, string>>;
  withheld?: readonly string[] | undefined;
  /** The length of the forwarded body. */
  bodyLength: number;
}

/**
 * The headers of the forwarded request: the client's without the withheld ones, plus edge's. Names and values
 * alternate.
 */
export function headersOnward(
  { headers, socket }: IncomingMessage,
  { publicUrl, added, withheld = [], bodyLength }: OnwardHeaders,
): string[] {
  const ours: Record<string, string> = {
    host: headers.host ?? publicUrl.host,
    'x-forwarded-for': socket.remoteAddress ?? '',
    'x-forwarded-proto': publicUrl.protocol.slice(0, -1),
    'x-forwarded-host': publicUrl.host,
    ...added,
  };
  // Node sets the length by itself for some methods only.
  if (bodyLength > 0 || headers['content-length'] !== undefined) ours['content-length'] = String(bodyLength);
  const onward: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (connectionHeaders.has(name) || withheld.includes(name) || Object.hasOwn(ours, name)) continue;
    if (!name.startsWith('x-gw-')) onward.push(name, String(value));
  }
  for (const [name, value] of Object.entries(ours)) onward.push(name, value);
  return onward;
}

/** The headers of the service's response that the client receives. */
export function headersBack({ headers }: IncomingMessage): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !connectionHeaders.has(name)));
}
