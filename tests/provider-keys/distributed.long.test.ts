import { basePathOf, type Simulator, startSimulator } from '@tallyport/simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Distributed, startDistributed } from '../../scripts/distributed/start.ts';
import { forgetfulRouting } from '../../packages/serving/src/upstreams/testing/index.ts';
import { type GatewayServers, startGatewayServers } from '../support/gateway-servers.ts';
import { ownerEnvironment, signInOwner } from './owner.ts';
import { ownKey, provider, providerKeysSuite, secondKey, serviceKey } from './provider-keys.suite.ts';

// Long: it runs every service, two of some.
// About: packages/serving/src/upstreams, services/auth-svc/src/provider-keys.

describe("an account's own provider keys, over two replicas of chat-svc", () => {
  let simulator: Simulator;
  let servers: GatewayServers;
  let gateway: Distributed;
  beforeAll(async () => {
    simulator = await startSimulator({ chunksPerSecond: 0, apiKeys: [serviceKey, ownKey, secondKey] });
    servers = await startGatewayServers();
    gateway = await startDistributed({
      servers: servers.urls,
      replicas: { 'chat-svc': 2, 'console-svc': 0, 'mcp-svc': 0 },
      sandboxUrl: simulator.url,
      environment: {
        ...forgetfulRouting,
        ...ownerEnvironment,
        OPENAI_API_KEY: serviceKey,
        OPENAI_BASE_URL: simulator.url + basePathOf(provider),
      },
    });
  });
  afterAll(async () => {
    await gateway?.stop();
    await servers?.stop();
    await simulator?.close();
  });

  providerKeysSuite(() => ({ ...gateway, simulator }));

  test('without auth-svc: cached own keys work; others are an error, and no other key is used instead', async () => {
    const owner = await signInOwner(gateway.baseUrl);
    await owner.ask('POST /provider-keys', { provider, label: 'ours', key: ownKey });
    const status = async () => {
      const response = await fetch(`${gateway.baseUrl}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: `${provider}/gpt-6-luna`, messages: [{ role: 'user', content: 'Hello' }] }),
      });
      return [response.status, JSON.parse(await response.text()).error?.message];
    };
    const keys = () => [...new Set(simulator.requests.map(({ headers }) => headers.authorization))];
    // Until every replica has looked up the key.
    await expect
      .poll(async () => {
        simulator.reset();
        await Promise.all(Array.from({ length: 12 }, status));
        return keys();
      })
      .toEqual([`Bearer ${ownKey}`]);
    await gateway.kill('auth-svc');
    expect(await status()).toEqual([200, undefined]);
    await gateway.restart('chat-svc', { index: 0 });
    await gateway.kill('chat-svc', { index: 1 });
    simulator.reset();
    const notLoaded = expect.stringContaining("Your account's provider keys could not be loaded");
    // A request that was on its way to the killed replica is lost with it.
    await expect.poll(status).toEqual([503, notLoaded]);
    expect(keys()).toEqual([]);
    await gateway.restart('auth-svc');
    await expect.poll(async () => (await status())[0]).toBe(200);
    expect(keys()).toEqual([`Bearer ${ownKey}`]);
  });
});
