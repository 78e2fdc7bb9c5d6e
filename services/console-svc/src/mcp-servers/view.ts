import { type ApiKey, isToolAllowed, type McpServerTest } from '@tallyport/contracts';
import type { McpServerRecord } from '@tallyport/management';
import { actionsColumn, badge, buttonForm, day, heading, type Html, html, table } from '@tallyport/pages';

interface McpServersPage {
  base: string;
  csrfToken: string;
  servers: readonly McpServerRecord[];
  keys: readonly ApiKey[];
  mayChange: boolean;
}

export const mcpServersPage = ({ base, csrfToken, servers, keys, mayChange }: McpServersPage): Html =>
  html`${heading({
    title: 'MCP Servers',
    text: 'Servers of others whose tools /mcp offers beside the gateway’s own.',
    action: mayChange ? { href: `${base}/mcp-servers/new`, text: 'Add a server' } : undefined,
  })}
  ${table({
    caption: 'MCP servers',
    columns: ['Name', 'URL', 'Authentication', 'State', 'Changed', actionsColumn],
    rows: servers.map((server) => [
      html`<span class="strong">${server.name}</span>`,
      html`<span class="breaking">${server.url}</span>`,
      authTitles[server.auth.type],
      server.enabled ? badge('enabled', 'good') : badge('disabled'),
      day(server.updatedAt),
      mayChange && actions(`${base}/mcp-servers/${server.id}`, server, csrfToken),
    ]),
    empty: 'There are no servers yet. Add one to offer its tools to the keys of this account.',
  })}
  ${servers.length > 0 && keyPart({ base, keys, mayChange })}`;

const authTitles = { none: 'none', header: 'a header', client_credentials: 'OAuth' } as const;

const actions = (href: string, { name, enabled }: McpServerRecord, csrfToken: string): Html =>
  html`${
      enabled && buttonForm({ action: `${href}/test`, csrfToken, button: 'Test', look: 'link', label: `Test ${name}` })
    }
    <a href="${href}" aria-label="Edit ${name}">Edit</a>
    ${buttonForm({
      action: `${href}/enabled`,
      csrfToken,
      button: enabled ? 'Disable' : 'Enable',
      look: 'link',
      label: `${enabled ? 'Disable' : 'Enable'} ${name}`,
      fields: { enabled: enabled ? 'no' : 'yes' },
    })}
    <a class="bad" href="${href}/delete" aria-label="Delete ${name}">Delete</a>`;

const keyPart = ({ base, keys, mayChange }: Pick<McpServersPage, 'base' | 'keys' | 'mayChange'>): Html =>
  html`<div class="heading"><h2>Keys</h2></div>
    ${table({
      caption: 'Tools of keys',
      columns: ['Key', 'May use', actionsColumn],
      rows: keys.map(({ id, name, allowedMcpTools }) => [
        html`<span class="strong">${name}</span>`,
        allowedText(allowedMcpTools),
        mayChange &&
          html`<a href="${base}/mcp-servers/keys/${id}" aria-label="Choose tools of ${name}">Choose tools</a>`,
      ]),
      empty: 'There are no keys yet.',
    })}`;

function allowedText(allowed: readonly string[] | null | undefined): Html | string {
  if (!allowed) return 'all tools';
  return allowed.length === 0 ? 'none' : html`<code>${allowed.join(', ')}</code>`;
}

interface TestedServerPage {
  base: string;
  server: McpServerRecord;
  test: McpServerTest;
  keys: readonly ApiKey[];
}

/** What a test found, and which keys may use it. */
export const testedServerPage = ({ base, server, test, keys }: TestedServerPage): Html =>
  html`${heading({
    title: `Test of ${server.name}`,
    text: server.url,
    back: { href: `${base}/mcp-servers`, text: 'MCP Servers' },
  })}
  ${test.error ? failure(test.error.message) : success(test)} ${test.tools && toolTable(test.tools, keys)}`;

const failure = (message: string): Html => html`<p class="note bad" role="alert">${message}</p>`;

const success = ({ tools = [], leftOut = 0, durationMs }: McpServerTest): Html =>
  html`<p class="note good" role="status">
    The server answered in ${Math.round(durationMs)} ms with ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}.
    ${leftOut > 0 && `${leftOut} more are beyond the bounds and not offered.`}
  </p>`;

const toolTable = (tools: NonNullable<McpServerTest['tools']>, keys: readonly ApiKey[]): Html =>
  table({
    caption: 'Tools',
    columns: ['Tool', 'Description', 'Keys that may use it'],
    rows: tools.map(({ name, description }) => [
      html`<code>${name}</code>`,
      html`<span class="quiet">${description}</span>`,
      keysOf(name, keys),
    ]),
    empty: 'The server offers no tools.',
  });

function keysOf(tool: string, keys: readonly ApiKey[]): string {
  const names = keys
    .filter(({ allowedMcpTools }) => !allowedMcpTools || isToolAllowed(tool, allowedMcpTools))
    .map(({ name }) => name);
  if (names.length === keys.length) return 'all';
  return names.length === 0 ? 'none' : names.join(', ');
}
