import type { McpScope } from '@switchyard/contracts';
import type { Interaction, InteractionResults, Provider } from 'oidc-provider';
import { subjectOf, type TokenSubject } from './token-subject.ts';
import { isScope } from './scopes.ts';

/** What a person is asked: who wants what, and where the answer goes. */
export interface ConsentQuestion {
  clientName: string;
  /** The host, or the scheme of an application of the device. Names are anyone's choosing, this is not. */
  destination: string;
  /** Whatever runs on the person's own machine can take what is sent there. */
  onOwnMachine: boolean;
  scopes: readonly McpScope[];
  /** Where a form may lead in the end, for the page's policy. */
  redirectSource: string;
}

const loopbacks = new Set(['localhost', '127.0.0.1', '[::1]']);

/** `undefined` when nothing that exists was asked for, or the client is gone. */
export async function readConsentQuestion(
  provider: Provider,
  interaction: Interaction,
): Promise<ConsentQuestion | undefined> {
  const { client_id: clientId, redirect_uri: redirectUri } = interaction.params;
  const client = await provider.Client.find(String(clientId));
  const scopes = askedScopes(interaction).filter(isScope);
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

/** What lets the client act for this member from now on. */
export async function allow(
  provider: Provider,
  interaction: Interaction,
  member: TokenSubject,
): Promise<InteractionResults> {
  const accountId = subjectOf(member);
  const grant = new provider.Grant({ accountId, clientId: String(interaction.params['client_id']) });
  const asked = askedScopes(interaction);
  const identity = asked.filter((scope) => scope === 'openid' || scope === 'offline_access');
  if (identity.length > 0) grant.addOIDCScope(identity.join(' '));
  for (const resource of [interaction.params['resource']].flat()) {
    grant.addResourceScope(String(resource), asked.filter(isScope).join(' '));
  }
  return { login: { accountId, remember: false }, consent: { grantId: await grant.save() } };
}

const askedScopes = ({ params }: Interaction): readonly string[] => [
  ...new Set(
    String(params['scope'] ?? '')
      .split(' ')
      .filter(Boolean),
  ),
];
