import { GatewayError } from '@tallyport/contracts';
import { type FieldValues, type FormState, problemAt, requestOf, type PlaygroundTurn } from '@tallyport/pages';
import type { PlaygroundKind } from '../gateway/gateway-api.ts';
import { formRoutes } from '../screen/form-routes.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';
import { type PlaygroundAnswer, readPlaygroundAnswer } from './answer.ts';
import { editedFields, historyOf, turnsIn, turnsToShow } from './conversation.ts';
import { playgroundGroups, playgroundModels } from './fields.ts';
import { type AnsweredTurn, playgroundPage, valuesOfAddress } from './view.ts';

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
  answered?: AnsweredTurn;
}

async function show(
  { base, place, publicUrl, signedIn, api }: DashboardRequest,
  { kind, state, answered }: Shown,
): Promise<PlaygroundResponse> {
  const models = playgroundModels(await api.listModels(), kind);
  const turns = turnsToShow(state.values);
  const example: FieldValues = turns.length === 0 ? { prompt: 'Hello' } : {};
  const fields = { model: models[0]?.value ?? '', ...example, ...filled(state.values) };
  const page = {
    base,
    publicUrl,
    kind,
    form: {
      action: place,
      csrfToken: signedIn.csrfToken,
      kept: keptFields(kind, turns),
      state,
      groups: playgroundGroups(kind, models),
    },
    turns: answered?.isKept === true ? turns.slice(0, -1) : turns,
    hasModels: models.length > 0,
    request: state.problem === undefined ? requestOf(kind, fields, turns) : { model: fields.model },
    answered,
  };
  return {
    title: 'Playground',
    body: playgroundPage(page),
    scripts,
    hasInlineImages: true,
  };
}

const keptFields = (kind: PlaygroundKind, turns: readonly PlaygroundTurn[]): FieldValues =>
  kind === 'chat' ? { history: historyOf(turns) ?? '' } : {};

const filled = (values: FieldValues): FieldValues =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

/** Without scripts: one answer, whole. */
async function submit(request: DashboardRequest, kind: PlaygroundKind): Promise<DashboardResponse> {
  const { api, fields } = request;
  if (fields['edit'] !== undefined) return show(request, { kind, state: { values: editedFields(fields) } });
  try {
    const reply = await api.call(kind, checkedRequest(kind, fields));
    const answer = readPlaygroundAnswer(kind, fields['model'] ?? '', reply);
    const next = kind === 'chat' ? nextFields(fields, answer) : undefined;
    const answered = { prompt: fields['prompt'] ?? '', answer, isKept: next !== undefined };
    return await show(request, { kind, state: { values: next ?? fields }, answered });
  } catch (error) {
    // The form shows all other errors itself. Those of providers must not lose what was typed either.
    if (!(error instanceof GatewayError) || error.status < 500) throw error;
    const { message, status } = error;
    return { ...(await show(request, { kind, state: { values: fields, problem: { message } } })), status };
  }
}

/** The fields to continue a conversation with; nothing if the answer has no text, or if the form would be too large. */
function nextFields(fields: FieldValues, { model, text }: PlaygroundAnswer): FieldValues | undefined {
  const turn = { prompt: fields['prompt'] ?? '', answers: { [model]: text } };
  const history = text === '' ? undefined : historyOf([...turnsIn(fields), turn]);
  return history === undefined ? undefined : { ...fields, history, prompt: '' };
}

function checkedRequest(kind: PlaygroundKind, fields: FieldValues): object {
  if ((fields['prompt'] ?? '').trim() === '') throw problemAt('prompt', 'Write a message.');
  try {
    return requestOf(kind, fields, turnsIn(fields));
  } catch (error) {
    if (!(error instanceof Error) || typeof error.cause !== 'string') throw error;
    throw new GatewayError('invalid_parameters', error.message, { param: error.cause, cause: error });
  }
}
