import { afterAll, beforeAll, describe } from 'vitest';
import { flowsSuite } from './flows.suite.ts';
import { type OAuthGateway, startOneOAuthGateway } from './gateway.ts';
import { mcpClientsSuite } from './mcp-clients.suite.ts';
import { refusalsSuite } from './refusals.suite.ts';

describe('OAuth, all services in one process', () => {
  let gateway: OAuthGateway;
  beforeAll(async () => {
    gateway = await startOneOAuthGateway();
  });
  afterAll(() => gateway?.stop());

  mcpClientsSuite(() => gateway);
  flowsSuite(() => gateway);
  refusalsSuite(() => gateway);
});
