import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flowsSuite } from './flows.suite.ts';
import { withHostname, type OAuthGateway, startTwoAuthReplicas } from './gateway.ts';
import { mcpClientsSuite } from './mcp-clients.suite.ts';
import { discover } from './plain-client.ts';

// Long: it runs every service, two of one.
// About: services/auth-svc/src/oauth.

describe('OAuth with two alternating replicas of auth-svc', () => {
  let gateway: OAuthGateway;
  beforeAll(async () => {
    gateway = await startTwoAuthReplicas();
  });
  afterAll(() => gateway?.stop());

  test('both sign with the same keys', async () => {
    const { jwks_uri: address = '' } = await discover(gateway.baseUrl);
    const ask = async () =>
      ((await fetch(address)).json() as Promise<{ keys: { kid: string }[] }>).then(({ keys }) => keys[0]?.kid);
    const [one, other] = [await ask(), await ask()];
    expect(one).toMatch(/^[\w-]{43}$/);
    expect(other).toBe(one);
  });

  describe.each(['127.0.0.1', 'localhost'])('at %s', (name) => {
    mcpClientsSuite(() => withHostname(name, gateway));
  });
  flowsSuite(() => gateway);
});
