import { hasRole, type ProviderKeyRecord } from '@tallyport/management';
import { fieldValues, formPart, type FormState, type HtmlContent, inputOf, panel } from '@tallyport/pages';
import { keyTestPage, modeField, newProviderKeyFields, providerKeyFields, providerKeysPage } from './view.ts';
import { asProviderId, readProviders } from './known-providers.ts';
import { findById } from '../screen/find-by-id.ts';
import { formPage } from '../screen/form-page.ts';
import { confirmationRoutes, formRoutes, type ConfirmationPrompt } from '../screen/form-routes.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';

const section = 'provider-keys';
const title = 'Provider Keys';
const access = 'admin';
const back = { path: '/provider-keys', text: title };

export const providerKeyRoutes: readonly DashboardRoute[] = [
  ...formRoutes({ path: '/provider-keys', section, show: showKeys, submit: changeMode }),
  ...formRoutes({ path: '/provider-keys/new', section, access, show: showNewKey, submit: addKey }),
  ...formRoutes({ path: '/provider-keys/:id', section, access, show: showKey, submit: changeKey }),
  { method: 'post', path: '/provider-keys/:id/test', section, access, answer: testKey },
  { method: 'post', path: '/provider-keys/:id/enabled', section, access, answer: enableKey },
  { method: 'post', path: '/provider-keys/:id/move', section, access, answer: moveKey },
  ...confirmationRoutes({ path: '/provider-keys/:id/delete', section, access, ask: askToDelete, act: deleteKey }),
];

async function showKeys(request: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  const { ask, base, caller, account, signedIn } = request;
  const { providerKeys: keys } = await ask('listProviderKeys');
  const body = providerKeysPage({
    base,
    csrfToken: signedIn.csrfToken,
    keys,
    mode: account.providerKeyMode,
    mayChange: hasRole(caller, 'admin'),
    modeForm: hasRole(caller, 'owner') && modeForm(request, state),
  });
  return { title, body };
}

function modeForm({ place, account, signedIn }: DashboardRequest, state: FormState): HtmlContent {
  const values = state.problem ? state.values : fieldValues([modeField], account);
  const form = formPart({
    action: place,
    csrfToken: signedIn.csrfToken,
    state: { ...state, values },
    groups: [{ fields: [modeField] }],
    button: 'Save',
  });
  return panel('Choice of keys', form);
}

async function changeMode({ ask, fields }: DashboardRequest): Promise<DashboardResponse> {
  await ask('changeAccount', inputOf([modeField], fields));
  return { to: '/provider-keys', notice: 'mode-changed' };
}

async function showNewKey(request: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  const groups = [{ fields: newProviderKeyFields(await readProviders(request)) }];
  return formPage(request, state, { title: 'Add a provider key', back, groups, button: 'Add the key', once: true });
}

async function addKey(request: DashboardRequest): Promise<DashboardResponse> {
  const { ask, fields } = request;
  const provider = asProviderId((fields['provider'] ?? '').trim(), await readProviders(request));
  await ask('createProviderKey', inputOf(newProviderKeyFields([]), { ...fields, provider }));
  return { to: '/provider-keys', notice: 'provider-key-added' };
}

async function showKey(request: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  const { label, provider, lastFour } = await readKey(request);
  return formPage(request, state, {
    title: label,
    text: `Key at ${provider} ending in ${lastFour}.`,
    back,
    groups: [{ fields: providerKeyFields }],
    values: fieldValues(providerKeyFields, { label }),
    button: 'Save',
  });
}

async function changeKey({ ask, params, fields }: DashboardRequest): Promise<DashboardResponse> {
  await ask('changeProviderKey', { ...inputOf(providerKeyFields, fields), id: params['id'] });
  return { to: '/provider-keys', notice: 'provider-key-changed' };
}

async function enableKey({ ask, params, fields }: DashboardRequest): Promise<DashboardResponse> {
  await ask('changeProviderKey', { id: params['id'], enabled: fields['enabled'] === 'yes' });
  return { to: '/provider-keys', notice: 'provider-key-changed' };
}

/** Back at the row of the key, so that a person with a keyboard can move it on. */
async function moveKey({ ask, params, fields }: DashboardRequest): Promise<DashboardResponse> {
  const { id } = await ask('changeProviderKey', { id: params['id'], position: Number(fields['position']) });
  return { to: `/provider-keys#${id}`, notice: 'provider-key-moved' };
}

/** The answer itself shows the result, so a reload of the page tests the key again. */
async function testKey(request: DashboardRequest): Promise<DashboardResponse> {
  const { ask, base, params } = request;
  const result = await ask('testProviderKey', { id: params['id'] });
  const key = await readKey(request);
  return { title: `Test of ${key.label}`, body: keyTestPage({ back: `${base}/provider-keys`, key, result }) };
}

async function askToDelete(request: DashboardRequest): Promise<ConfirmationPrompt> {
  const { provider, label } = await readKey(request);
  const text =
    'The gateway stops using it everywhere within a second. It stays valid at the provider until you revoke it there.';
  return { title: `Delete ${label} at ${provider}?`, text, button: 'Delete the key', back: '/provider-keys' };
}

async function deleteKey({ ask, params }: DashboardRequest): Promise<DashboardResponse> {
  await ask('deleteProviderKey', { id: params['id'] });
  return { to: '/provider-keys', notice: 'provider-key-deleted' };
}

async function readKey({ ask, params }: DashboardRequest): Promise<ProviderKeyRecord> {
  const { providerKeys } = await ask('listProviderKeys');
  return findById(providerKeys, params['id'], 'This provider key does not exist. It may have been deleted.');
}
