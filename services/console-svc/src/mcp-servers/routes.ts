import { hasRole, type McpServerRecord } from '@tallyport/management';
import type { FormState } from '@tallyport/pages';
import { findById } from '../screen/find-by-id.ts';
import { formPage } from '../screen/form-page.ts';
import { type ConfirmationPrompt, confirmationRoutes, formRoutes } from '../screen/form-routes.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';
import { keyToolRoutes } from './key-tool-routes.ts';
import { keptAuth, serverGroups, serverInput } from './server-fields.ts';
import { mcpServersPage, testedServerPage } from './view.ts';

const section = 'mcp-servers';
const title = 'MCP Servers';
const access = 'admin';
const back = { path: '/mcp-servers', text: title };

export const mcpServerRoutes: readonly DashboardRoute[] = [
  { method: 'get', path: '/mcp-servers', section, answer: showServers },
  ...formRoutes({ path: '/mcp-servers/new', section, access, show: showNew, submit: addServer }),
  ...keyToolRoutes,
  ...formRoutes({ path: '/mcp-servers/:id', section, access, show: showServer, submit: changeServer }),
  { method: 'post', path: '/mcp-servers/:id/test', section, access, answer: testServer },
  { method: 'post', path: '/mcp-servers/:id/enabled', section, access, answer: enableServer },
  ...confirmationRoutes({ path: '/mcp-servers/:id/delete', section, access, ask: askToDelete, act: deleteServer }),
];

/** The keys whose tools are shown. */
const mostKeys = 100;

async function workingKeys({ ask }: DashboardRequest) {
  return (await ask('listKeys', { state: 'working', order: 'newest', limit: mostKeys })).keys;
}

async function showServers(request: DashboardRequest): Promise<DashboardResponse> {
  const { ask, base, caller, signedIn } = request;
  const [{ mcpServers: servers }, keys] = await Promise.all([ask('listMcpServers'), workingKeys(request)]);
  const page = { base, csrfToken: signedIn.csrfToken, servers, keys, mayChange: hasRole(caller, 'admin') };
  return { title, body: mcpServersPage(page) };
}

async function showNew(request: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  const groups = serverGroups({ isNew: true });
  return formPage(request, state, { title: 'Add a server', back, groups, button: 'Add the server', once: true });
}

async function addServer({ ask, fields }: DashboardRequest): Promise<DashboardResponse> {
  await ask('createMcpServer', serverInput(fields));
  return { to: '/mcp-servers', notice: 'mcp-server-added' };
}

async function showServer(request: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  const { name, url } = await readServer(request);
  const values = { name, url, 'auth.type': keptAuth };
  return formPage(request, state, {
    title: name,
    back,
    groups: serverGroups({ isNew: false }),
    values,
    button: 'Save',
  });
}

async function changeServer({ ask, params, fields }: DashboardRequest): Promise<DashboardResponse> {
  await ask('changeMcpServer', { ...serverInput(fields), id: params['id'] });
  return { to: '/mcp-servers', notice: 'mcp-server-changed' };
}

async function testServer(request: DashboardRequest): Promise<DashboardResponse> {
  const server = await readServer(request);
  const [test, keys] = await Promise.all([request.ask('testMcpServer', { id: server.id }), workingKeys(request)]);
  return { title: `Test of ${server.name}`, body: testedServerPage({ base: request.base, server, test, keys }) };
}

async function enableServer({ ask, params, fields }: DashboardRequest): Promise<DashboardResponse> {
  await ask('changeMcpServer', { id: params['id'], enabled: fields['enabled'] === 'yes' });
  return { to: '/mcp-servers', notice: 'mcp-server-changed' };
}

async function askToDelete(request: DashboardRequest): Promise<ConfirmationPrompt> {
  const { name } = await readServer(request);
  const text = 'Its tools disappear from /mcp within a second, and its secret is deleted.';
  return { title: `Delete ${name}?`, text, button: 'Delete the server', back: '/mcp-servers' };
}

async function deleteServer({ ask, params }: DashboardRequest): Promise<DashboardResponse> {
  await ask('deleteMcpServer', { id: params['id'] });
  return { to: '/mcp-servers', notice: 'mcp-server-deleted' };
}

async function readServer({ ask, params }: DashboardRequest): Promise<McpServerRecord> {
  const { mcpServers } = await ask('listMcpServers');
  return findById(mcpServers, params['id'], 'This server does not exist. It may have been deleted.');
}
