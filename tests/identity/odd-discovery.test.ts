import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityGateway, startIdentityGateway } from './gateway.ts';
import { rogueClientId, type RogueProvider, startRogueProvider } from './rogue-provider.ts';

/** Members of a discovery document, and the statuses of a sign-in's begin and of a logout token. */
const documents: readonly (readonly [string, Record<string, unknown>])[] = [
  ['no address of keys', { jwks_uri: undefined }],
  ['an address of keys that is none', { jwks_uri: 'keys' }],
  ['an address of keys that is a list', { jwks_uri: [1] }],
  ['an address of keys with plain http', { jwks_uri: 'http://192.0.2.1/keys' }],
  ['no address to sign in', { authorization_endpoint: undefined }],
  ['an address to sign in that is none', { authorization_endpoint: 'authorize' }],
  ['an address to sign in that is a number', { authorization_endpoint: 7 }],
  ['another issuer', { issuer: 'https://other.example' }],
  ['an issuer that is a list', { issuer: ['https://other.example'] }],
];

describe('discovery documents that a correct server never sends', () => {
  let provider: RogueProvider;
  let gateway: IdentityGateway;
  beforeAll(async () => {
    provider = await startRogueProvider();
    const rogue = {
      name: 'Rogue',
      issuer: provider.issuer,
      clientId: rogueClientId,
      access: [{ everyone: true, account: 'default', role: 'member' }],
    };
    // Each is discovered at its first use.
    gateway = await startIdentityGateway({
      providers: documents.map((_, index) => ({ ...rogue, id: `odd-${index}` })),
    });
  });
  afterAll(async () => {
    await gateway?.stop();
    await provider?.stop();
  });

  test.each(documents.map(([what, metadata], index) => ({ what, metadata, id: `odd-${index}` })))(
    '$what is no failure of this gateway',
    async ({ metadata, id }) => {
      for (const name of Object.keys(provider.metadata)) Reflect.deleteProperty(provider.metadata, name);
      Object.assign(provider.metadata, metadata);
      const begun = await fetch(`${gateway.baseUrl}/sign-in/${id}`, { redirect: 'manual' });
      const token = await provider.sign({ iss: provider.issuer, aud: rogueClientId });
      const body = new URLSearchParams({ logout_token: token });
      const ended = await fetch(`${gateway.baseUrl}/sign-in/${id}/logout`, { method: 'POST', body });
      expect({ begun: begun.status, ended: ended.status }).toEqual({
        begun: 'jwks_uri' in metadata ? 303 : 502,
        ended: 400,
      });
    },
  );
});
