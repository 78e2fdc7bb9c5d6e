import type { GuardWebhookRecord } from '@tallyport/management';
import { type FieldSpec, fieldValues, type FormState, inputOf } from '@tallyport/pages';
import { findById } from '../screen/find-by-id.ts';
import { formPage } from '../screen/form-page.ts';
import { type ConfirmationPrompt, confirmationRoutes, formRoutes } from '../screen/form-routes.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';
import { testedWebhookPage } from './view.ts';

const section = 'guardrails';
const access = 'owner';
const back = { path: '/guardrails', text: 'Guardrails' };

export const webhookRoutes: readonly DashboardRoute[] = [
  ...formRoutes({ path: '/guardrails/webhooks/new', section, access, show: showNew, submit: add }),
  ...formRoutes({ path: '/guardrails/webhooks/:id', section, access, show: showOne, submit: change }),
  ...confirmationRoutes({ path: '/guardrails/webhooks/:id/delete', section, access, ask: askToDelete, act: remove }),
  { method: 'post', path: '/guardrails/webhooks/:id/test', section, access, answer: testWebhook },
];

const urlField: FieldSpec = {
  name: 'url',
  label: 'URL',
  kind: 'text',
  required: true,
  placeholder: 'https://dlp.example/decide',
  hint: 'https, at a public address, or at a private one of the setting PRIVATE_TARGETS.',
};

const secretField: FieldSpec = {
  name: 'secret',
  label: 'Secret',
  kind: 'secret',
  required: true,
  autocomplete: 'new-password',
  hint: 'Base64 of at least 32 characters: openssl rand -base64 32. It signs our requests, is stored encrypted and never shown again.',
};

const newFields: readonly FieldSpec[] = [
  { name: 'name', label: 'Name', kind: 'text', required: true, placeholder: 'dlp', hint: 'Rules refer to it.' },
  urlField,
  secretField,
];

const fieldsOfOne: readonly FieldSpec[] = [
  urlField,
  { ...secretField, label: 'New secret', required: false, hint: 'Leave empty to keep the current secret.' },
];

async function showNew(request: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  const groups = [{ fields: newFields }];
  return formPage(request, state, { title: 'Add a webhook', back, groups, button: 'Add the webhook', once: true });
}

async function add({ ask, fields }: DashboardRequest): Promise<DashboardResponse> {
  await ask('createGuardWebhook', inputOf(newFields, fields));
  return { to: '/guardrails', notice: 'webhook-added' };
}

async function showOne(request: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  const { name, url } = await readWebhook(request);
  const values = fieldValues(fieldsOfOne, { url });
  return formPage(request, state, { title: name, back, groups: [{ fields: fieldsOfOne }], values, button: 'Save' });
}

async function change({ ask, params, fields }: DashboardRequest): Promise<DashboardResponse> {
  await ask('changeGuardWebhook', { ...inputOf(fieldsOfOne, fields), id: params['id'] });
  return { to: '/guardrails', notice: 'webhook-changed' };
}

async function askToDelete(request: DashboardRequest): Promise<ConfirmationPrompt> {
  const { name } = await readWebhook(request);
  const text = 'This is refused while rules of the account or of a key name it.';
  return { title: `Delete ${name}?`, text, button: 'Delete the webhook', back: '/guardrails' };
}

async function remove({ ask, params }: DashboardRequest): Promise<DashboardResponse> {
  await ask('deleteGuardWebhook', { id: params['id'] });
  return { to: '/guardrails', notice: 'webhook-deleted' };
}

/** The result is shown once and is in no address. */
async function testWebhook(request: DashboardRequest): Promise<DashboardResponse> {
  const webhook = await readWebhook(request);
  const test = await request.ask('testGuardWebhook', { id: webhook.id });
  return { title: `Test of ${webhook.name}`, body: testedWebhookPage({ base: request.base, webhook, test }) };
}

async function readWebhook({ ask, params }: DashboardRequest): Promise<GuardWebhookRecord> {
  const { guardWebhooks } = await ask('listGuardWebhooks');
  return findById(guardWebhooks, params['id'], 'This webhook does not exist. It may have been deleted.');
}
