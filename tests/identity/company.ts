import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';
import { listen, stopServer } from '@tallyport/service-kit';

/** A person at the company, by the name they sign in with. */
interface Employee {
  email?: string;
  groups: string[];
}

export interface Company {
  issuer: string;
  /** Can be changed at any time, as in a real directory. A person who is deleted has left. */
  employees: Record<string, Employee>;
  /** Starts issuing tokens for a gateway. Before that, the server answers 503. */
  open(gatewayUrl: string): void;
  stop(): Promise<void>;
}

export const clientId = 'tallyport-client';
export const clientSecret = 'a secret of the company';

/** A company's identity provider: a certified OpenID Connect server with pages to sign in and to sign out. */
export async function startCompany(): Promise<Company> {
  let handle: ReturnType<Provider['callback']> | undefined;
  const server = createServer((request, response) => {
    if (handle) void handle(request, response);
    else response.writeHead(503).end();
  });
  const issuer = await listen(server, { host: '127.0.0.1', port: 0 });
  const employees: Record<string, Employee> = {};
  return {
    issuer,
    employees,
    open: (gatewayUrl) => (handle = providerOf({ issuer, gatewayUrl, employees }).callback()),
    stop: () => stopServer(server, 1_000),
  };
}

interface ProviderTools {
  issuer: string;
  gatewayUrl: string;
  employees: Record<string, Employee>;
}

function providerOf({ issuer, gatewayUrl, employees }: ProviderTools): Provider {
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [`${gatewayUrl}/sign-in/acme/callback`],
        post_logout_redirect_uris: [`${gatewayUrl}/sign-in`],
        backchannel_logout_uri: `${gatewayUrl}/sign-in/acme/logout`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    scopes: ['openid', 'email', 'groups'],
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true }, userinfo: { enabled: true } },
    cookies: { keys: ['a key of the company'] },
    findAccount: (_context, accountId) =>
      employees[accountId] && {
        accountId,
        claims: () => ({ sub: accountId, email_verified: true, ...employees[accountId] }),
      },
    issueRefreshToken: () => true,
    rotateRefreshToken: true,
    async loadExistingGrant({ oidc }) {
      const { client, session } = oidc;
      const grant = new provider.Grant({ clientId: client?.clientId ?? '', accountId: session?.accountId ?? '' });
      grant.addOIDCScope('openid email groups');
      await grant.save();
      return grant;
    },
    // The library's own refuses addresses of this machine.
    fetch: (url, { dispatcher: _ours, ...options }: RequestInit & { dispatcher?: unknown } = {}) => fetch(url, options),
  });
  return provider;
}
