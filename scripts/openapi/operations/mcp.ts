import { z } from 'zod';
import type { DescribedOperation } from '../operation.ts';

const json = 'application/json';

const id = z.union([z.string(), z.int()]);

const rpcRequestSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: id.optional().describe('Absent in notifications.'),
  method: z.string(),
  params: z.looseObject({}).optional(),
});

const rpcAnswerSchema = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: id.nullable(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ code: z.int(), message: z.string() }).optional(),
});

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'example', version: '1' } },
};

export const mcpOperations: readonly DescribedOperation[] = [
  {
    id: 'callMcp',
    method: 'POST',
    path: '/mcp',
    tag: 'MCP',
    summary: 'The MCP server: chat, images and models as tools.',
    description: `Streamable HTTP without sessions, protocol versions 2024-11-05 to 2026-07-28. Takes the gateway's API keys or OAuth:
a request without credentials gets 401 with \`WWW-Authenticate: Bearer resource_metadata="…"\`. Errors follow JSON-RPC; a
failed tool call is a result with \`isError: true\`.`,
    access: 'key',
    body: {
      [json]: {
        schema: z.union([rpcRequestSchema, z.array(rpcRequestSchema)]),
        examples: {
          initialize: { summary: 'The first request of a client', value: initialize },
          list: { summary: 'The tools', value: { jsonrpc: '2.0', id: 2, method: 'tools/list' } },
          call: {
            summary: 'A tool',
            value: {
              jsonrpc: '2.0',
              id: 3,
              method: 'tools/call',
              params: { name: 'list-models', arguments: { limit: 3 } },
            },
          },
        },
      },
    },
    answers: {
      200: {
        description: 'The answer; a stream of events if the client accepts one and there is progress to report.',
        content: {
          [json]: { schema: rpcAnswerSchema },
          'text/event-stream': { schema: rpcAnswerSchema, events: true },
        },
      },
      202: { description: 'The request held only notifications, which have no answer.' },
    },
    failures: [],
  },
  {
    id: 'lookAtMcp',
    method: 'GET',
    path: '/mcp',
    tag: 'MCP',
    summary:
      'Describes the MCP server. With `Accept: text/event-stream`, opens a stream on which older clients get `notifications/tools/list_changed`.',
    access: 'optional',
    answers: {
      200: {
        description: 'A short description of the server.',
        content: {
          [json]: { schema: z.looseObject({}) },
          'text/event-stream': { schema: z.looseObject({}), events: true },
        },
      },
    },
    failures: [],
  },
];
