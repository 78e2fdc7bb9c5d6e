import type { ApiKey } from '@tallyport/contracts';
import { type FieldSpec, type FieldValues, type FormState, problemAt } from '@tallyport/pages';
import { formPage } from '../screen/form-page.ts';
import { formRoutes } from '../screen/form-routes.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';

export const keyToolRoutes: readonly DashboardRoute[] = formRoutes({
  path: '/mcp-servers/keys/:key',
  section: 'mcp-servers',
  access: 'admin',
  show: showTools,
  submit: changeTools,
});

const choiceField: FieldSpec = {
  name: 'choice',
  label: 'The key may use',
  kind: 'choice',
  choices: [
    { value: 'all', text: 'all tools of all servers' },
    { value: 'listed', text: 'only the tools below' },
    { value: 'none', text: 'none' },
  ],
};

const listField = (servers: readonly string[]): FieldSpec => ({
  name: 'allowedMcpTools',
  label: 'Servers and tools',
  kind: 'lines',
  placeholder: servers[0] ?? 'docs',
  hint: `One per line: a server for all its tools, or one tool such as docs__search. Servers: ${servers.join(', ')}.`,
});

async function showTools(request: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  const { ask, params } = request;
  const [key, { mcpServers }] = await Promise.all([ask('readKey', { id: params['key'] }), ask('listMcpServers')]);
  return formPage(request, state, {
    title: `Tools of ${key.name}`,
    back: { path: '/mcp-servers', text: 'MCP Servers' },
    groups: [{ fields: [choiceField, listField(mcpServers.map(({ name }) => name))] }],
    values: valuesOf(key),
    button: 'Save',
  });
}

function valuesOf({ allowedMcpTools: allowed }: ApiKey): FieldValues {
  if (!allowed) return { choice: 'all' };
  return allowed.length === 0 ? { choice: 'none' } : { choice: 'listed', allowedMcpTools: allowed.join('\n') };
}

async function changeTools({ ask, params, fields }: DashboardRequest): Promise<DashboardResponse> {
  await ask('changeKey', { id: params['key'], allowedMcpTools: chosen(fields) });
  return { to: '/mcp-servers', notice: 'key-changed' };
}

function chosen({ choice, allowedMcpTools = '' }: FieldValues): string[] | null {
  if (choice === 'all') return null;
  if (choice === 'none') return [];
  const listed = allowedMcpTools.split(/[\n,]/).flatMap((line) => line.trim() || []);
  if (listed.length === 0) throw problemAt('allowedMcpTools', 'Name at least one server or tool, or choose none.');
  return listed;
}
