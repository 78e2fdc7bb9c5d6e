import type { McpScope } from '@tallyport/contracts';
import type { Interaction, InteractionResults, Provider } from 'oidc-provider';
import { subjectOf, type TokenSubject } from './token-subject.ts';
import { isScope } from './scopes.ts';

/** The details a user decides on: the client, its scopes and its redirect. */
export interface ConsentDetails {
  clientName: string;
  /** The host of the redirect, or the scheme of an app. Unlike the name, the client cannot choose it freely. */
  destination: string;
  /** Whether the redirect leads to loopback, where any local program could receive it. */
  onOwnMachine: boolean;
  scopes: readonly McpScope[];
  /** The redirect's source expression for the page's form-action policy. */
  redirectSource: string;
}

const loopbacks = new Set(['localhost', '127.0.0.1', '[::1]']);

/** `undefined` if no known scope was requested, or the client no longer exists. */
export async function readConsentDetails(
  provider: Provider,
  interaction: Interaction,
): Promise<ConsentDetails | undefined> {
  const { client_id: clientId, redirect_uri: redirectUri } = interaction.params;
  const client = await provider.Client.find(String(clientId));
  const scopes = requestedScopes(interaction).filter(isScope);
  if (client === undefined || scopes.length === 0) return undefined;
  const redirect = new URL(String(redirectUri));
  const isWeb = /^https?:$/.test(redirect.protocol);
  return {
    clientName: client.clientName ?? 'An application without a name',
    destination: isWeb ? redirect.host : redirect.protocol + (redirect.host && `//${redirect.host}`),
    onOwnMachine: redirect.protocol === 'http:' && loopbacks.has(redirect.hostname),
    scopes,
    redirectSource: isWeb ? redirect.origin : redirect.protocol,
  };
}

/** Grants the client access for this member, and returns the result that continues the authorization. */
export async function allow(
  provider: Provider,
  interaction: Interaction,
  member: TokenSubject,
): Promise<InteractionResults> {
  const accountId = subjectOf(member);
  const grant = new provider.Grant({ accountId, clientId: String(interaction.params['client_id']) });
  const requested = requestedScopes(interaction);
  const identity = requested.filter((scope) => scope === 'openid' || scope === 'offline_access');
  if (identity.length > 0) grant.addOIDCScope(identity.join(' '));
  for (const resource of [interaction.params['resource']].flat()) {
    grant.addResourceScope(String(resource), requested.filter(isScope).join(' '));
  }
  return { login: { accountId, remember: false }, consent: { grantId: await grant.save() } };
}

const requestedScopes = ({ params }: Interaction): readonly string[] => [
  ...new Set(
    String(params['scope'] ?? '')
      .split(' ')
      .filter(Boolean),
  ),
];
