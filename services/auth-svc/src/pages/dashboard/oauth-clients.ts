import type { OAuthClient, OAuthGrant } from '../../oauth/management/client-operations.ts';
import { type Html, html } from '../html.ts';
import type { FieldSpec } from './field-spec.ts';
import { actionsColumn, copyable, day, heading, table } from './parts.ts';

export const clientFields: readonly FieldSpec[] = [
  { name: 'name', label: 'Name', kind: 'text', required: true, placeholder: 'nightly reports' },
  {
    name: 'redirectUris',
    label: 'Redirect addresses',
    kind: 'lines',
    placeholder: 'none: client credentials only',
    hint: 'Only where people sign in with it: one https address a line.',
  },
];

export interface OAuthPage {
  base: string;
  /** Absent for those who may not see them. */
  clients: readonly OAuthClient[] | undefined;
  grants: readonly OAuthGrant[];
  /** Of those who allowed something, by id. */
  emails: ReadonlyMap<string, string>;
}

export const oauthPage = ({ base, clients, grants, emails }: OAuthPage): Html =>
  html`${heading({
      title: 'OAuth',
      text: 'Applications that get tokens by themselves instead of being given a key.',
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
          empty: 'There is none. MCP hosts register themselves; a client is for services that use client credentials.',
        })}`
    }
    <h2>Applications that people allowed</h2>
    ${table({
      caption: 'Allowed applications',
      columns: ['Application', 'Acts for', 'Since', actionsColumn],
      rows: grants.map(({ id, clientId, clientName, userId, createdAt }) => [
        html`<span class="strong breaking">${clientName ?? clientId}</span>`,
        emails.get(userId) ?? userId,
        day(createdAt),
        html`<a class="bad" href="${base}/oauth-grants/${id}/end" aria-label="End ${clientName ?? clientId}">End</a>`,
      ]),
      empty: 'Nobody has allowed an application to act for them here.',
    })}`;

export interface ShownClient {
  secret: string;
  client: OAuthClient;
  publicUrl: string;
  back: string;
}

/** The one page that has the secret. */
export const shownClientPage = ({ secret, client, publicUrl, back }: ShownClient): Html =>
  html`${heading({ title: client.name, back: { href: back, text: 'OAuth' } })}
    <div class="panel padded">
      <p class="note warn">Copy the secret now: it is stored as a hash only, so nobody can show it again.</p>
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
