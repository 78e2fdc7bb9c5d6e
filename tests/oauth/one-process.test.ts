import { afterAll, beforeAll, describe } from 'vitest';
import { type OAuthGateway, startOneOAuthGateway } from './gateway.ts';
import { mcpClientsSuite } from './mcp-clients.suite.ts';

describe('OAuth, all services in one process', () => {
  let gateway: OAuthGateway;
  beforeAll(async () => {
    gateway = await startOneOAuthGateway();
  });
  afterAll(() => gateway?.stop());

  mcpClientsSuite(() => gateway);
});
