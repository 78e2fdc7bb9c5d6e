import { Client as Client2, StreamableHTTPClientTransport as Transport2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, test } from 'vitest';
import { allow, type OAuthGateway } from './gateway.ts';
import { memoryClient } from './memory-client.ts';

type Metadata = ReturnType<typeof memoryClient>;

const clientInfo = { name: 'test', version: '1' };

const generations = {
  '1.x': (url: URL, authProvider: Metadata) => ({
    client: new Client1(clientInfo),
    transport: new Transport1(url, { authProvider }),
  }),
  '2.x': (url: URL, authProvider: Metadata) => ({
    client: new Client2(clientInfo),
    transport: new Transport2(url, { authProvider }),
  }),
};

/** MCP clients that know only the URL of `/mcp`. */
export function mcpClientsSuite(gateway: () => OAuthGateway): void {
  describe.each(Object.entries(generations))(
    'an MCP client of generation %s discovers the OAuth server',
    (_name, make) => {
      test.each([
        ['a local program', 'http://127.0.0.1:53682/callback'],
        ['a local program at localhost', 'http://localhost:53682/callback'],
        ['an editor with a custom scheme', 'cursor://anysphere.cursor-retrieval/oauth/callback'],
        ['a web application', 'https://chat.example.com/oauth/callback'],
      ])('%s', async (_kind, redirectUrl) => {
        const url = new URL(`${gateway().baseUrl}/mcp`);
        const keeper = memoryClient(redirectUrl);
        const first = make(url, keeper);
        await expect(first.client.connect(first.transport as never)).rejects.toThrow('Unauthorized');
        const answer = await allow(gateway().owner(), keeper.kept.url!.href);
        expect(`${answer.protocol}//${answer.host}${answer.pathname}`).toBe(redirectUrl);
        expect(answer.searchParams.get('iss')).toBe(gateway().baseUrl);
        const code = answer.searchParams.get('code') ?? '';
        await (first.transport as Transport2).finishAuth(code, answer.searchParams.get('iss') as never);
        expect(keeper.kept.tokens).toMatchObject({
          token_type: 'Bearer',
          expires_in: 3600,
          scope: 'mcp:tools mcp:models',
          access_token: expect.any(String),
          refresh_token: expect.any(String),
        });
        const second = make(url, keeper);
        await second.client.connect(second.transport as never);
        const { tools } = await second.client.listTools();
        expect(tools.map(({ name }) => name)).toContain('list-models');
        await second.client.close();
      });
    },
  );
}
