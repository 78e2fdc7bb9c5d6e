import type { OAuthClient, OAuthGrant } from '@tallyport/management';
import { actionsColumn, copyable, day, type FieldSpec, heading, type Html, html, table } from '@tallyport/pages';

export const clientFields: readonly FieldSpec[] = [
  { name: 'name', label: 'Name', kind: 'text', required: true, placeholder: 'nightly reports' },
  {
    name: 'redirectUris',
    label: 'Redirect addresses',
    kind: 'lines',
    placeholder: 'none: client credentials only',
    hint: 'Only for signing users in: one https address per line.',
  },
];

interface OAuthPage {
  base: string;
  /** Undefined if the user may not see them. */
  clients: readonly OAuthClient[] | undefined;
  grants: readonly OAuthGrant[];
  /** The e-mail addresses of the granting users, by id. */
  emails: ReadonlyMap<string, string>;
}

export const oauthPage = ({ base, clients, grants, emails }: OAuthPage): Html =>
  html`${heading({
      title: 'OAuth',
      text: 'Applications that use OAuth tokens instead of an API key.',
      action: clients && { href: `${base}/oauth-clients/new`, text: 'Create a client' },
    })}
    ${
      clients &&
      html`<h2>Clients of this account</h2>
        ${table({
          caption: 'OAuth clients',
          columns: ['Name', 'Client id', 'Redirect addresses', 'Created', 'Last used', actionsColumn],
          rows: clients.map(({ id, name, redirectUris, createdAt, lastUsedAt }) => [
            html`<span class="strong">${name}</span>`,
            html`<code class="breaking">${id}</code>`,
            redirectUris.length === 0
              ? html`<span class="quiet">none</span>`
              : redirectUris.map((uri) => html`<div class="breaking">${uri}</div>`),
            day(createdAt),
            day(lastUsedAt),
            html`<a class="bad" href="${base}/oauth-clients/${id}/delete" aria-label="Delete ${name}">Delete</a>`,
          ]),
          empty:
            'There are no clients. MCP hosts register themselves; create a client for a service that uses client credentials.',
        })}`
    }
    <h2>Applications with access</h2>
    ${table({
      caption: 'Applications with access',
      columns: ['Application', 'Acts for', 'Since', actionsColumn],
      rows: grants.map(({ id, clientId, clientName, userId, createdAt }) => [
        html`<span class="strong breaking">${clientName ?? clientId}</span>`,
        emails.get(userId) ?? userId,
        day(createdAt),
        html`<a class="bad" href="${base}/oauth-grants/${id}/end" aria-label="End ${clientName ?? clientId}">End</a>`,
      ]),
      empty: 'No application has access.',
    })}`;

interface ShownClient {
  secret: string;
  client: OAuthClient;
  publicUrl: string;
  back: string;
}

/** The only page that shows the secret. */
export const shownClientPage = ({ secret, client, publicUrl, back }: ShownClient): Html =>
  html`${heading({ title: client.name, back: { href: back, text: 'OAuth' } })}
    <div class="panel padded">
      <p class="note warn">Copy the secret now. Only its hash is stored, so it cannot be shown again.</p>
      ${copyable('Client id', client.id)} ${copyable('Client secret', secret, 'chief')}
      <h2>Try it</h2>
      ${copyable(
        'A token for the MCP server',
        [
          `curl ${publicUrl}/oauth/token -u "${client.id}:${secret}" \\`,
          `  -d grant_type=client_credentials -d resource=${publicUrl}/mcp`,
        ].join('\n'),
      )}
      <div class="form-actions"><a class="button" href="${back}">I have copied it</a></div>
    </div>`;
