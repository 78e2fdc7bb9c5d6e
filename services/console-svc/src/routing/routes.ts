import { GatewayError } from '@tallyport/contracts';
import { hasRole } from '@tallyport/management';
import { type FieldValues, type FormState, inputOf } from '@tallyport/pages';
import { askedRequest, fieldsOfRequest } from '../requests/asked-request.ts';
import { assumptionsIn } from './assumptions.ts';
import type { ExplainedRequest } from '../gateway/gateway-api.ts';
import { questionOf, routingPage, type RoutingPage } from './view.ts';
import { weightFields } from './weights.ts';
import { submitRoute } from '../screen/form-routes.ts';
import { pageMessage } from '../screen/page-message.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';

const section = 'routing';

export const routingRoutes: readonly DashboardRoute[] = [
  { method: 'get', path: '/routing', section, answer: (request) => showRouting(request, request.query) },
  { method: 'post', path: '/routing', section, answer: (request) => showRouting(request, request.fields) },
  // The form is a part of the page of routing.
  submitRoute({
    path: '/routing/weights',
    section,
    access: 'owner',
    show: (request, state) => showRouting(request, { ...request.query, ...request.fields }, state),
    submit: changeWeights,
  }),
];

/** Shows the same route again, with the weights that count now. A pasted request is in no address. */
async function changeWeights({ ask, fields }: DashboardRequest): Promise<DashboardResponse> {
  await ask('changeAccount', inputOf(weightFields, fields, { emptied: true }));
  const question = fields['body'] === undefined ? new URLSearchParams(questionOf(fields)).toString() : '';
  return { to: question === '' ? '/routing' : `/routing?${question}`, notice: 'weights-changed' };
}

async function showRouting(
  request: DashboardRequest,
  sent: FieldValues,
  weightsState: FormState = { values: {} },
): Promise<DashboardResponse> {
  const { base, signedIn, api, account, caller } = request;
  const [models, { answer, response }] = await Promise.all([api.listModels(), answerTo(request, sent)]);
  const page: RoutingPage = {
    base,
    csrfToken: signedIn.csrfToken,
    account,
    weightsState: hasRole(caller, 'owner') ? weightsState : undefined,
    models: models.filter(({ available }) => available).map(({ id }) => id),
    editable: await editableRoute(request, answer.fields['model']),
    ...answer,
  };
  return { title: 'Routing', body: routingPage(page), ...response };
}

/** The route of this name, if the person may change it. */
async function editableRoute({ ask, caller }: DashboardRequest, model: string | undefined) {
  if (model === undefined || !hasRole(caller, 'owner')) return undefined;
  return (await ask('listRoutes')).routes.find(({ name }) => name === model)?.name;
}

/** What the page shows of a request, with how it is sent. */
async function answerTo(request: DashboardRequest, sent: FieldValues) {
  try {
    const fields = sent['request'] === undefined ? sent : await fieldsOf(request, sent['request']);
    const asked = askedRequest(fields);
    const shown = asked && (await explained(request, asked, fields));
    return { answer: { fields, problem: undefined, shown }, response: { scripts: ['sliders.js'] as const } };
  } catch (error) {
    if (!(error instanceof GatewayError) || error.status >= 500) throw error;
    return {
      answer: { fields: sent, problem: pageMessage(error), shown: undefined },
      response: { status: error.status },
    };
  }
}

async function fieldsOf({ ask }: DashboardRequest, id: string): Promise<FieldValues> {
  const fields = fieldsOfRequest(await ask('readRequest', { id }));
  if (fields !== undefined) return fields;
  throw new GatewayError('unsupported_capability', 'Routes are shown for chats, images and embeddings.');
}

/** The route as it is and, if sliders were moved, the one that would follow. */
async function explained(
  { api }: DashboardRequest,
  asked: ExplainedRequest,
  fields: FieldValues,
): Promise<RoutingPage['shown']> {
  const known = await api.explain(asked, '');
  const assumptions = assumptionsIn(
    fields,
    known.candidates.map(({ provider }) => provider),
  );
  return { known, route: assumptions === undefined ? known : await api.explain(asked, assumptions) };
}
