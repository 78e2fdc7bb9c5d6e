import { GatewayError } from '@tallyport/contracts';
import type { AlertRecord } from '@tallyport/management';
import { type FormState, html } from '@tallyport/pages';
import { formPage } from '../screen/form-page.ts';
import { providersWithKeys } from '../provider-keys/view.ts';
import { type ConfirmationPrompt, confirmationRoutes, formRoutes } from '../screen/form-routes.ts';
import { type DashboardRequest, type DashboardResponse, type DashboardRoute, secretScripts } from '../screen/route.ts';
import { conditionTitles, conditionTypes, type ConditionType } from './condition-text.ts';
import { type AlertForm, alertGroups, alertInput, alertValues } from './fields.ts';
import { type Owner, ownerIn, ownerOf, readOfferedOwners } from './offered-owners.ts';
import { back, conditionChoice, historyPage, keySearch, webhookSecretPage } from './view.ts';

const section = 'budgets';
const access = 'admin';

export const alertRoutes: readonly DashboardRoute[] = [
  // People who leave out the end of an address are led to the list.
  { method: 'get', path: '/alerts', section, answer: async () => ({ to: '/budgets' }) },
  { method: 'get', path: '/alerts/new', section, access, answer: chooseCondition },
  { method: 'get', path: '/alerts/history', section, access, answer: showHistory },
  ...formRoutes({ path: '/alerts/new/:type', section, access, show: showNewAlert, submit: createAlert }),
  ...formRoutes({ path: '/alerts/:id', section, access, show: showAlert, submit: changeAlert }),
  { method: 'post', path: '/alerts/:id/enabled', section, access, answer: enableAlert },
  { method: 'post', path: '/alerts/:id/test', section, access, answer: testAlert },
  ...confirmationRoutes({ path: '/alerts/:id/delete', section, access, ask: askToDelete, act: deleteAlert }),
];

const pageSize = 30;

async function chooseCondition({ base }: DashboardRequest): Promise<DashboardResponse> {
  return { title: 'Create an alert', body: conditionChoice(base) };
}

async function showNewAlert(request: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  const form = await readForm(request, typeIn(request), ownerIn(state.values));
  const page = {
    ...conditionTitles[form.type],
    back,
    groups: alertGroups(form),
    between: keySearch(request.place, form.owners),
  };
  return formPage(request, state, { ...page, button: 'Create the alert', once: true });
}

async function createAlert(request: DashboardRequest): Promise<DashboardResponse> {
  const { ask, fields } = request;
  const form = await readForm(request, typeIn(request));
  const { webhookSecret, ...alert } = await ask('createAlert', alertInput(form, fields, { emptied: false }));
  return webhookSecret === undefined || alert.webhook?.format !== undefined
    ? { to: '/budgets', notice: 'alert-created' }
    : secretShown(request, alert, webhookSecret);
}

async function showAlert(request: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  const alert = await readAlert(request);
  const form = await readForm(request, alert.condition.type, ownerIn(state.values) ?? ownerOf(alert.condition));
  return formPage(request, state, {
    title: alert.name,
    text: conditionTitles[alert.condition.type].text,
    back,
    groups: alertGroups(form),
    values: alertValues(form, alert),
    button: 'Save',
    between: html`<p><a href="${request.base}/alerts/history?alert=${alert.id}">History of this alert</a></p>
      ${keySearch(request.place, form.owners)}`,
  });
}

async function changeAlert(request: DashboardRequest): Promise<DashboardResponse> {
  const { ask, fields } = request;
  const { id, condition } = await readAlert(request);
  const form = await readForm(request, condition.type);
  const { webhookSecret, ...alert } = await ask('changeAlert', { ...alertInput(form, fields, { emptied: true }), id });
  return webhookSecret === undefined || alert.webhook?.format !== undefined
    ? { to: '/budgets', notice: 'alert-changed' }
    : secretShown(request, alert, webhookSecret);
}

const secretShown = ({ base }: DashboardRequest, alert: AlertRecord, secret: string): DashboardResponse => ({
  title: alert.name,
  scripts: secretScripts,
  body: webhookSecretPage(base, alert, secret),
});

async function enableAlert({ ask, params, fields }: DashboardRequest): Promise<DashboardResponse> {
  await ask('changeAlert', { id: params['id'], enabled: fields['enabled'] === 'yes' });
  return { to: '/budgets', notice: 'alert-changed' };
}

async function testAlert({ ask, params }: DashboardRequest): Promise<DashboardResponse> {
  const { alertId } = await ask('testAlert', { id: params['id'] });
  return { to: `/alerts/history?alert=${alertId}`, notice: 'alert-tested' };
}

async function askToDelete(request: DashboardRequest): Promise<ConfirmationPrompt> {
  const { name } = await readAlert(request);
  const text = 'It is no longer checked, and its webhook secret is deleted. Its history stays for ninety days.';
  return { title: `Delete the alert ${name}?`, text, button: 'Delete the alert', back: '/budgets' };
}

async function deleteAlert({ ask, params }: DashboardRequest): Promise<DashboardResponse> {
  await ask('deleteAlert', { id: params['id'] });
  return { to: '/budgets', notice: 'alert-deleted' };
}

async function showHistory({ ask, base, query }: DashboardRequest): Promise<DashboardResponse> {
  const alert = query['alert'] || undefined;
  const cursor = query['before'] || undefined;
  const { events, nextCursor } = await ask('listAlertEvents', { alert, cursor, limit: pageSize });
  return { title: 'History of alerts', body: historyPage({ base, events, alert, cursor, nextCursor }) };
}

const readAlert = ({ ask, params }: DashboardRequest): Promise<AlertRecord> => ask('readAlert', { id: params['id'] });

function typeIn({ params }: DashboardRequest): ConditionType {
  const type = conditionTypes.find((name) => name === params['type']);
  if (type === undefined) throw new GatewayError('not_found', 'There are no alerts of this type.');
  return type;
}

async function readForm(request: DashboardRequest, type: ConditionType, chosen?: Owner): Promise<AlertForm> {
  const [{ emailAvailable: hasEmail }, owners, providers] = await Promise.all([
    request.ask('listAlerts'),
    readOfferedOwners(request, type, chosen),
    providersWithKeys(),
  ]);
  return { type, owners, providers, hasEmail };
}
