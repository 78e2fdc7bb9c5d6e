import { defaultAccountId } from '@tallyport/contracts';
import { type FormState, inputOf } from '@tallyport/pages';
import { findById } from '../screen/find-by-id.ts';
import { formPage } from '../screen/form-page.ts';
import { accountsPage, newAccountFields } from './view.ts';
import { invitedPage } from '../members/view.ts';
import { confirmationRoutes, formRoutes, type ConfirmationPrompt } from '../screen/form-routes.ts';
import { type DashboardRequest, type DashboardResponse, type DashboardRoute, secretScripts } from '../screen/route.ts';

const section = 'accounts';
const title = 'All Accounts';

/** The pages for operators of the installation. */
export const accountsRoutes: readonly DashboardRoute[] = [
  { method: 'get', path: '/accounts', section, answer: showAccounts },
  ...formRoutes({ path: '/accounts/new', section, show: showNewAccount, submit: createAccount }),
  ...confirmationRoutes({ path: '/accounts/:id/suspend', section, ask: askToSuspend, act: suspend }),
  { method: 'post', path: '/accounts/:id/resume', section, answer: resume },
];

async function showAccounts({ ask, base, signedIn }: DashboardRequest): Promise<DashboardResponse> {
  const { accounts } = await ask('listAccounts');
  return {
    title,
    body: accountsPage({ base, csrfToken: signedIn.csrfToken, accounts, firstId: defaultAccountId }),
  };
}

async function showNewAccount(request: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  return formPage(request, state, {
    title: 'Create an account',
    back: { path: '/accounts', text: title },
    groups: [{ fields: newAccountFields }],
    button: 'Create the account',
    once: true,
  });
}

async function createAccount({ ask, base, fields }: DashboardRequest): Promise<DashboardResponse> {
  const { invitation } = await ask('createAccount', inputOf(newAccountFields, fields));
  if (invitation === undefined) return { to: '/accounts', notice: 'account-created' };
  return { title: 'Invitation', scripts: secretScripts, body: invitedPage(invitation, `${base}/accounts`) };
}

async function askToSuspend({ ask, params }: DashboardRequest): Promise<ConfirmationPrompt> {
  const { accounts } = await ask('listAccounts');
  const account = findById(accounts, params['id'], 'This account does not exist.');
  const text = 'All its keys and tokens are refused everywhere within a second, until it is resumed.';
  return { title: `Suspend ${account.name}?`, text, button: 'Suspend the account', back: '/accounts' };
}

async function suspend({ ask, params }: DashboardRequest): Promise<DashboardResponse> {
  await ask('changeAnyAccount', { id: params['id'], suspended: true });
  return { to: '/accounts', notice: 'account-suspended' };
}

async function resume({ ask, params }: DashboardRequest): Promise<DashboardResponse> {
  await ask('changeAnyAccount', { id: params['id'], suspended: false });
  return { to: '/accounts', notice: 'account-resumed' };
}
