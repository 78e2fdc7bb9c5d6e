import { GatewayError } from '@switchyard/contracts';
import { type FieldValues, type FormState, requestOf } from '@switchyard/pages';
import type { PlaygroundKind } from '../gateway/gateway-api.ts';
import { formRoutes } from '../screen/form-routes.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';
import { type PlaygroundAnswer, readPlaygroundAnswer } from './answer.ts';
import { playgroundGroups, playgroundModels } from './fields.ts';
import { playgroundPage, valuesOfAddress } from './view.ts';

const section = 'playground';
const scripts = ['copy.js', 'playground.js'] as const;

export const playgroundRoutes: readonly DashboardRoute[] = [
  ...routesOf('chat', '/playground'),
  ...routesOf('images', '/playground/images'),
];

function routesOf(kind: PlaygroundKind, path: string): DashboardRoute[] {
  return formRoutes({
    path,
    section,
    show: (request, state) => show(request, { kind, state: withAddress(state, request.query) }),
    submit: (request) => submit(request, kind),
  });
}

const withAddress = (state: FormState, query: FieldValues): FormState => ({
  ...state,
  values: { ...valuesOfAddress(query), ...state.values },
});

type PlaygroundResponse = Extract<DashboardResponse, { body: unknown }>;

interface Shown {
  kind: PlaygroundKind;
  state: FormState;
  answer?: PlaygroundAnswer;
}

async function show(
  { base, place, publicUrl, signedIn, api }: DashboardRequest,
  { kind, state, answer }: Shown,
): Promise<PlaygroundResponse> {
  const models = playgroundModels(await api.listModels(), kind);
  const fields = { model: models[0]?.value ?? '', prompt: 'Hello', ...filled(state.values) };
  const page = {
    base,
    publicUrl,
    kind,
    form: { action: place, csrfToken: signedIn.csrfToken, state, groups: playgroundGroups(kind, models) },
    hasModels: models.length > 0,
    request: state.problem === undefined ? requestOf(kind, fields) : { model: fields.model },
    answer,
  };
  return {
    title: 'Playground',
    body: playgroundPage(page),
    scripts,
    hasInlineImages: true,
  };
}

const filled = (values: FieldValues): FieldValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

/** Without scripts: one answer, whole. */
async function submit(request: DashboardRequest, kind: PlaygroundKind): Promise<DashboardResponse> {
  const { api, fields } = request;
  const state = { values: fields };
  try {
    const answer = await api.call(kind, checkedRequest(kind, fields));
    return await show(request, { kind, state, answer: readPlaygroundAnswer(kind, fields['model'] ?? '', answer) });
  } catch (error) {
    // The form shows all other errors itself. Those of providers must not lose what was typed either.
    if (!(error instanceof GatewayError) || error.status < 500) throw error;
    const { message, status } = error;
    return { ...(await show(request, { kind, state: { values: fields, problem: { message } } })), status };
  }
}

function checkedRequest(kind: PlaygroundKind, fields: FieldValues): object {
  try {
    return requestOf(kind, fields);
  } catch (error) {
    if (!(error instanceof Error) || typeof error.cause !== 'string') throw error;
    throw new GatewayError('invalid_parameters', error.message, { param: error.cause, cause: error });
  }
}
