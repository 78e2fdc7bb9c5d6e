import type { ShownIdentityProvider, ShownWorkload } from '@tallyport/management';
import { badge, heading, type Html, html, table } from '@tallyport/pages';

interface IdentityPage {
  passwords: 'on' | 'off';
  providers: readonly ShownIdentityProvider[];
  workloads: readonly ShownWorkload[];
  /** Why rules have no effect. */
  problems: readonly string[];
}

export const identityPage = ({ passwords, providers, workloads, problems }: IdentityPage): Html =>
  html`${heading({
      title: 'Identity',
      text: html`Who may sign in, and which workloads get keys. The rules are in the file that
        <code>IDENTITY_CONFIG</code> names; a change applies within a second.`,
    })}
    ${problems.map((problem) => html`<p class="note bad">${problem}</p>`)}
    <p>Passwords: ${passwords === 'on' ? badge('on', 'plain') : badge('off', 'good')}</p>
    <div class="heading"><h2>Identity providers</h2></div>
    ${providerTable(providers)} ${providers.length > 0 && html`<div class="heading"><h2>Groups and roles</h2></div>`}
    ${providers.length > 0 && accessTable(providers)}
    <div class="heading"><h2>Workloads</h2></div>
    ${workloadTable(workloads)}`;

const providerTable = (providers: readonly ShownIdentityProvider[]): Html =>
  table({
    caption: 'Identity providers',
    columns: ['Name', 'Issuer', 'Client', 'Sessions', 'Checked', 'Leave after'],
    rows: providers.map(({ name, issuer, clientId, sessionHours, recheckMinutes = 0, removeAfterDays }) => [
      html`<span class="strong">${name}</span>`,
      html`<span class="breaking">${issuer}</span>`,
      html`<code class="one-line">${clientId}</code>`,
      `${sessionHours} hours`,
      recheckMinutes === 0 ? html`<span class="quiet">at sign-in</span>` : `every ${recheckMinutes} minutes`,
      removeAfterDays === undefined ? html`<span class="quiet">never</span>` : `${removeAfterDays} days`,
    ]),
    empty: 'There are no identity providers. People sign in with a password.',
  });

const accessTable = (providers: readonly ShownIdentityProvider[]): Html =>
  table({
    caption: 'Groups and roles',
    columns: ['Provider', 'People with', 'Account', 'Role', 'Project'],
    rows: providers.flatMap(({ name, access }) =>
      access.map(({ claim, value, everyone, account, role, project, projectRole = 'member' }) => [
        name,
        everyone ? 'everyone' : html`<code>${claim} = ${value}</code>`,
        html`<code>${account}</code>`,
        role,
        project === undefined ? noProject : html`<code>${project}</code> ${projectRole}`,
      ]),
    ),
    empty: 'There are no rules.',
  });

const workloadTable = (workloads: readonly ShownWorkload[]): Html =>
  table({
    caption: 'Workloads',
    columns: ['Rule', 'Tokens', 'Account', 'Project', 'Keys live for', 'Models'],
    rows: workloads.map(({ id, issuer, audience, account, project, lifetimeSeconds, allowedModels, ...token }) => [
      html`<span class="strong">${id}</span>`,
      html`<span class="breaking">${issuer}</span> <span class="quiet small">for ${audience}</span> <br /><code
          >${tokenText(token)}</code
        >`,
      html`<code>${account}</code>`,
      project === undefined ? noProject : html`<code>${project}</code>`,
      `${lifetimeSeconds} s`,
      allowedModels ? allowedModels.join(', ') : html`<span class="quiet">all</span>`,
    ]),
    empty: 'There are no rules for workloads. Programs use API keys.',
  });

const tokenText = ({ subject, claims = {} }: Pick<ShownWorkload, 'subject' | 'claims'>): string =>
  [...(subject ? [subject] : []), ...Object.entries(claims).map((pair) => pair.join(' = '))].join(', ');

const noProject = html`<span class="quiet">none</span>`;
