import {
  Client as CurrentClient,
  StreamableHTTPClientTransport as CurrentTransport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';

export interface Place {
  baseUrl: string;
  apiKey: string;
}

const clientInfo = { name: 'test', version: '1' };

/** Both generations of the reference client, the newer one with each mode of version negotiation. */
export const generations = {
  'SDK 1.x': (place: Place) => connectOld(place),
  'client 2.x': (place: Place) => connectCurrent(place, {}),
  'client 2.x, negotiated revision': (place: Place) => connectCurrent(place, { versionNegotiation: { mode: 'auto' } }),
  'client 2.x, current revision only': (place: Place) =>
    connectCurrent(place, { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
} as const;

const headersOf = ({ apiKey }: Place) => ({ headers: { authorization: `Bearer ${apiKey}` } });

async function connectOld(place: Place): Promise<McpConnection> {
  const client = new OldClient(clientInfo);
  const transport = new OldTransport(new URL(`${place.baseUrl}/mcp`), { requestInit: headersOf(place) });
  // The types of the transport do not allow its undefined session id.
  await client.connect(transport as never);
  return {
    revision: transport.protocolVersion,
    listTools: async () => (await client.listTools()).tools,
    callTool: (name, input, { signal, onprogress } = {}) =>
      client.callTool({ name, arguments: input }, undefined, {
        ...(signal && { signal }),
        ...(onprogress && { onprogress }),
      }) as Promise<ToolResult>,
    onToolsChanged: (handler) => client.setNotificationHandler(ToolListChangedNotificationSchema, handler),
    close: () => client.close(),
  };
}

async function connectCurrent(
  place: Place,
  options: ConstructorParameters<typeof CurrentClient>[1],
): Promise<McpConnection> {
  const client = new CurrentClient(clientInfo, options);
  const transport = new CurrentTransport(new URL(`${place.baseUrl}/mcp`), { requestInit: headersOf(place) });
  await client.connect(transport);
  return {
    revision: client.getNegotiatedProtocolVersion(),
    listTools: async () => (await client.listTools()).tools,
    callTool: (name, input, { signal, onprogress } = {}) =>
      client.callTool(
        { name, arguments: input },
        { ...(signal && { signal }), ...(onprogress && { onprogress }) },
      ) as Promise<ToolResult>,
    onToolsChanged: (handler) => client.setNotificationHandler('notifications/tools/list_changed', handler),
    close: () => client.close(),
  };
}

interface ToolResult {
  content: { type: string; text?: string; data?: string; mimeType?: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

interface CallOptions {
  signal?: AbortSignal;
  onprogress?: (progress: { progress: number; message?: string }) => void;
}

/** A connection of either generation. */
export interface McpConnection {
  revision: string | undefined;
  listTools(): Promise<{ name: string }[]>;
  callTool(name: string, input: Record<string, unknown>, options?: CallOptions): Promise<ToolResult>;
  /** Of the revisions with streams for notifications. */
  onToolsChanged(handler: () => void): void;
  close(): Promise<void>;
}
