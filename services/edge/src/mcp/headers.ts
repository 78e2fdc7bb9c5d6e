import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** They speak of one connection, not of what travels over it. */
const ofTheConnection = [
  'connection',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
];

/** The clients' secrets stop here: mcp-svc learns who is calling from the headers edge adds. */
const credentials = ['authorization', 'proxy-authorization', 'x-api-key', 'cookie'];

const neverOn = new Set([...ofTheConnection, ...credentials]);
const neverBack = new Set(ofTheConnection);

export interface Onward {
  publicUrl: URL;
  /** What edge says besides: it stands in place of whatever the client claims there. */
  told: Readonly<Record<string, string>>;
}

/** What mcp-svc hears: the client's headers without its secrets, and what edge knows. Names and values in turn. */
export function onwardHeaders({ headers, socket }: IncomingMessage, { publicUrl, told }: Onward): string[] {
  const ours: Record<string, string> = {
    'x-forwarded-for': socket.remoteAddress ?? '',
    'x-forwarded-proto': publicUrl.protocol.slice(0, -1),
    'x-forwarded-host': publicUrl.host,
    ...told,
  };
  const onward: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (neverOn.has(name) || Object.hasOwn(ours, name) || name.startsWith('x-gw-')) continue;
    onward.push(name, String(value));
  }
  for (const [name, value] of Object.entries(ours)) onward.push(name, value);
  return onward;
}

/** What the client hears of mcp-svc's answer. */
export function backHeaders({ headers }: IncomingMessage): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !neverBack.has(name)));
}
