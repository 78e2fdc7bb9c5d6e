import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** They speak of one connection, not of what travels over it. */
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
  /** What edge says besides: it stands in place of whatever the client claims there. */
  added: Readonly<Record<string, string>>;
  withheld?: readonly string[] | undefined;
  /** Whether the body is sent in one piece rather than as it arrives. */
  isWhole: boolean;
}

/** What the service hears: the client's headers without what is withheld, and what edge knows. Names and values in turn. */
export function headersOnward(
  { headers, socket }: IncomingMessage,
  { publicUrl, added, withheld = [], isWhole }: OnwardHeaders,
): string[] {
  const ours: Record<string, string> = {
    host: headers.host ?? publicUrl.host,
    'x-forwarded-for': socket.remoteAddress ?? '',
    'x-forwarded-proto': publicUrl.protocol.slice(0, -1),
    'x-forwarded-host': publicUrl.host,
    ...added,
  };
  // Node would frame it by itself for some methods only.
  if (!isWhole && headers['content-length'] === undefined) ours['transfer-encoding'] = 'chunked';
  const onward: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (connectionHeaders.has(name) || withheld.includes(name) || Object.hasOwn(ours, name)) continue;
    if (!name.startsWith('x-gw-')) onward.push(name, String(value));
  }
  for (const [name, value] of Object.entries(ours)) onward.push(name, value);
  return onward;
}

/** What the client hears of the service's answer. */
export function headersBack({ headers }: IncomingMessage): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !connectionHeaders.has(name)));
}
