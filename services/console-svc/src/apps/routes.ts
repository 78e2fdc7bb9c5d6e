import { hasRole } from '@tallyport/management';
import { type FormState, inputOf } from '@tallyport/pages';
import { findById } from '../screen/find-by-id.ts';
import { formPage } from '../screen/form-page.ts';
import { clientFields, oauthPage, shownClientPage } from './view.ts';
import { confirmationRoutes, formRoutes, type ConfirmationPrompt } from '../screen/form-routes.ts';
import { readEmails } from '../screen/read-emails.ts';
import { type DashboardRequest, type DashboardResponse, type DashboardRoute, secretScripts } from '../screen/route.ts';

const section = 'oauth-clients';
const title = 'OAuth';

export const oauthClientRoutes: readonly DashboardRoute[] = [
  { method: 'get', path: '/oauth-clients', section, answer: showOAuth },
  ...formRoutes({ path: '/oauth-clients/new', section, access: 'admin', show: showNewClient, submit: createClient }),
  ...confirmationRoutes({
    path: '/oauth-clients/:id/delete',
    section,
    access: 'admin',
    ask: askToDelete,
    act: deleteClient,
  }),
  ...confirmationRoutes({ path: '/oauth-grants/:id/end', section, ask: askToEnd, act: endGrant }),
];

async function showOAuth({ ask, base, caller }: DashboardRequest): Promise<DashboardResponse> {
  const { clients } = hasRole(caller, 'admin') ? await ask('listOAuthClients') : {};
  const { grants } = await ask('listOAuthGrants');
  return { title, body: oauthPage({ base, clients, grants, emails: await readEmails(ask) }) };
}

async function showNewClient(request: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  return formPage(request, state, {
    title: 'Create an OAuth client',
    back: { path: '/oauth-clients', text: title },
    groups: [{ fields: clientFields }],
    button: 'Create the client',
    once: true,
  });
}

async function createClient({ ask, base, fields, publicUrl }: DashboardRequest): Promise<DashboardResponse> {
  const created = await ask('createOAuthClient', inputOf(clientFields, fields));
  const body = shownClientPage({ ...created, publicUrl, back: `${base}/oauth-clients` });
  return { title: 'Your new client', scripts: secretScripts, body };
}

async function askToDelete({ ask, params }: DashboardRequest): Promise<ConfirmationPrompt> {
  const { clients } = await ask('listOAuthClients');
  const client = findById(clients, params['id'], 'This OAuth client no longer exists.');
  const text = 'The client is deleted and all its tokens are revoked at once. This cannot be undone.';
  return { title: `Delete ${client.name}?`, text, button: 'Delete the client', back: '/oauth-clients' };
}

async function deleteClient({ ask, params }: DashboardRequest): Promise<DashboardResponse> {
  await ask('deleteOAuthClient', { id: params['id'] });
  return { to: '/oauth-clients', notice: 'client-deleted' };
}

async function askToEnd({ ask, params }: DashboardRequest): Promise<ConfirmationPrompt> {
  const { grants } = await ask('listOAuthGrants');
  const grant = findById(grants, params['id'], 'This access no longer exists.');
  const name = grant.clientName ?? grant.clientId;
  const text = 'Its tokens are revoked at once. The application can ask for access again.';
  return { title: `End the access of ${name}?`, text, button: 'End access', back: '/oauth-clients' };
}

async function endGrant({ ask, params }: DashboardRequest): Promise<DashboardResponse> {
  await ask('deleteOAuthGrant', { id: params['id'] });
  return { to: '/oauth-clients', notice: 'grant-ended' };
}
