import { afterAll, beforeAll, describe } from 'vitest';
import { withHostname, type OAuthGateway, startOneOAuthGateway } from './gateway.ts';
import { mcpClientsSuite } from './mcp-clients.suite.ts';

/** `npm start` prints 127.0.0.1, but many users write localhost. */
describe('OAuth at localhost', () => {
  let gateway: OAuthGateway;
  beforeAll(async () => {
    gateway = await startOneOAuthGateway();
  });
  afterAll(() => gateway?.stop());

  mcpClientsSuite(() => withHostname('localhost', gateway));
});
