import { GatewayError } from '@tallyport/contracts';
import {
  type FieldValues,
  type FormState,
  type PlaygroundKind,
  type PlaygroundTurn,
  problemAt,
  requestOf,
} from '@tallyport/pages';
import type { CatalogueModel } from '../gateway/catalogue-model.ts';
import { formRoutes } from '../screen/form-routes.ts';
import { pageMessage } from '../screen/page-message.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';
import { type PlaygroundAnswer, readPlaygroundAnswer } from './answer.ts';
import { editedFields, historyOf, turnsIn, turnsToShow } from './conversation.ts';
import { modelNames, playgroundKinds, playgrounds, valuesOfAddress } from './address.ts';
import { readAskedAgain } from './asked-again.ts';
import { playgroundModels } from './fields.ts';
import { type AnsweredTurn, playgroundPage } from './view.ts';

const section = 'playground';
const scripts = ['copy.js', 'playground.js'] as const;

export const playgroundRoutes: readonly DashboardRoute[] = playgroundKinds.flatMap((kind) =>
  formRoutes({
    path: playgrounds[kind].path,
    section,
    show: (request, state) => showForm(request, { kind, state }),
    submit: (request) => submit(request, kind),
  }),
);

/** The form as its address fills it, with what was posted before that. */
async function showForm(request: DashboardRequest, { kind, state }: Shown): Promise<PlaygroundResponse> {
  const { request: id, ...query } = request.query;
  const again = id === undefined ? { fields: {} } : await readAskedAgain(request, id);
  const values = { ...again.fields, ...valuesOfAddress(query), ...state.values };
  return show(request, { kind, state: { ...state, values }, note: again.note });
}

type PlaygroundResponse = Extract<DashboardResponse, { body: unknown }>;

interface Shown {
  kind: PlaygroundKind;
  state: FormState;
  answered?: AnsweredTurn;
  note?: string | undefined;
}

async function show(
  { base, place, publicUrl, signedIn, api }: DashboardRequest,
  { kind, state, answered, note }: Shown,
): Promise<PlaygroundResponse> {
  const all = await api.listModels();
  const models = playgroundModels(all, kind);
  const turns = turnsToShow(state.values);
  const example: FieldValues = turns.length === 0 ? { prompt: 'Hello' } : {};
  const fields = { model: models[0]?.value ?? '', ...example, ...filled(state.values) };
  const page = {
    base,
    publicUrl,
    kind,
    notes: [...missingModels(state.values, models, all), ...(note === undefined ? [] : [note])],
    form: { action: place, csrfToken: signedIn.csrfToken, kept: keptFields(kind, turns), state },
    models,
    turns: answered?.isKept === true ? turns.slice(0, -1) : turns,
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

/** Models of the address that the form does not offer: it must not choose another one without a word. */
function missingModels(
  values: FieldValues,
  choices: readonly { value: string; text: string }[],
  all: readonly CatalogueModel[],
): string[] {
  const wanted = modelNames.flatMap((name) => values[name] || []);
  return wanted
    .filter((id) => !choices.some(({ value }) => value === id))
    .map((id) => {
      const reason = all.find((model) => model.id === id)?.unavailable_reason;
      const instead = values['model'] === id && choices[0] ? ` ${choices[0].text} is chosen instead.` : '';
      return `${id.slice(0, 200)} cannot be called here${reason === undefined ? '' : `: ${reason}`}.${instead}`;
    });
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
    const problem = { message: pageMessage(error) };
    return { ...(await show(request, { kind, state: { values: fields, problem } })), status: error.status };
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
