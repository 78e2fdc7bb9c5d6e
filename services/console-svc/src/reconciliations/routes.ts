import { GatewayError } from '@tallyport/contracts';
import { maxBillBodyBytes } from '@tallyport/management';
import type { FormState } from '@tallyport/pages';
import { formPage } from '../screen/form-page.ts';
import { formRoutes } from '../screen/form-routes.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';
import { comparisonInput, fieldGroups } from './fields.ts';
import { comparisonPage, comparisonTitle, comparisonsPage } from './view.ts';

const section = 'reconciliations';
const title = 'Vendor Bills';
const path = '/reconciliations';

export const reconciliationRoutes: readonly DashboardRoute[] = [
  { method: 'get', path, section, answer: showAll },
  ...formRoutes({ path: `${path}/new`, section, maxFormBytes: maxBillBodyBytes, show: showForm, submit: compare }),
  { method: 'get', path: `${path}/:id`, section, answer: showOne },
  { method: 'get', path: `${path}/:id/json`, section, answer: sendJson },
];

async function showAll({ ask, base }: DashboardRequest): Promise<DashboardResponse> {
  const { reconciliations } = await ask('listReconciliations', { limit: 100 });
  return { title, body: comparisonsPage(base, reconciliations) };
}

async function showForm(request: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  return formPage(request, state, {
    title: 'Compare with a bill',
    text: 'The comparison takes up to twenty seconds.',
    back: { path, text: title },
    groups: await fieldGroups(request.caller.operator),
    button: 'Compare',
    once: true,
  });
}

async function compare({ ask, caller, fields }: DashboardRequest): Promise<DashboardResponse> {
  const input = comparisonInput(await fieldGroups(caller.operator), fields);
  const { id } = await ask('createReconciliation', input).catch(rethrowOfVendor);
  return { to: `${path}/${id}` };
}

/** What a vendor refuses is shown in the form, because another key or period may help. */
function rethrowOfVendor(thrown: unknown): never {
  if (!(thrown instanceof GatewayError) || !thrown.code.startsWith('upstream_')) throw thrown;
  const place = thrown.code === 'upstream_auth' ? { param: 'adminKey' } : {};
  throw new GatewayError('invalid_parameters', thrown.message, { cause: thrown, ...place });
}

const read = ({ ask, params }: DashboardRequest) => ask('readReconciliation', { id: params['id'] });

async function showOne(request: DashboardRequest): Promise<DashboardResponse> {
  const comparison = await read(request);
  return { title: comparisonTitle(comparison), body: comparisonPage(request.base, comparison) };
}

async function sendJson(request: DashboardRequest): Promise<DashboardResponse> {
  return { data: await read(request) };
}
