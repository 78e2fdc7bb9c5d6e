import { GatewayError, type RequestHead } from '@tallyport/contracts';
import { askedFallback } from '@tallyport/dispatch';
import { modelList, mostModelsAsked, type ProviderPreferences, providerPreferences } from '@tallyport/wire';

/** The headers that say the same as the members, for clients that cannot add one to the body. */
const standInsHeader = 'x-fallback-models';
const preferencesHeader = 'x-provider-preferences';

/** A body without what it says about routing, which no vendor gets. */
export interface AskedRouting {
  body: unknown;
  /** Set if the body had a list of models. */
  model?: unknown;
  /** The models that stand in for that of the body. Absent if the request names one model. */
  standIns?: readonly string[];
  preferences?: ProviderPreferences;
}

/** `model` is that of an address whose requests have none in their body. */
type RoutingHead = Pick<RequestHead, 'headers' | 'model'>;

/**
 * Takes `models` and `provider` out of a body. The first of the models is the request's own if `model` is absent, and the
 * others stand in for it in their order, unless the client forbids that. Throws `invalid_parameters`.
 */
export function askedRouting(body: unknown, { headers, model }: RoutingHead): AskedRouting {
  if (!isObject(body)) return { body };
  const { models, provider } = body;
  const { standIns, ...own } = modelsOf({ model, ...body }, headers[standInsHeader]);
  const mayStandIn = standIns !== undefined && askedFallback({ headers }) !== 'never';
  const asked = { ...own, ...(mayStandIn && { standIns }), ...preferencesOf(provider, headers[preferencesHeader]) };
  if (models === undefined && provider === undefined) return { ...asked, body };
  const { models: _models, provider: _provider, ...rest } = body;
  return { ...asked, body: asked.model === undefined ? rest : { ...rest, model: asked.model } };
}

function modelsOf(body: Record<string, unknown>, header: string | undefined): Omit<AskedRouting, 'body'> {
  const { model, models } = body;
  if (models == null) return header === undefined ? {} : standInsOf(namesIn(header), model);
  const names = checkedNames(models, 'models');
  const own = model ?? names[0];
  return { model: own, ...standInsOf(names, own) };
}

function standInsOf(names: readonly string[], model: unknown): Pick<AskedRouting, 'standIns'> {
  const standIns = [...new Set(names)].filter((name) => name !== model);
  if (standIns.length < mostModelsAsked) return standIns.length === 0 ? {} : { standIns };
  throw invalid('models', `A request names at most ${mostModelsAsked} models, with its own one.`);
}

const namesIn = (header: string): readonly string[] =>
  checkedNames(
    header
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    standInsHeader,
  );

function checkedNames(names: unknown, param: string): readonly string[] {
  const parsed = modelList.safeParse(names);
  if (parsed.success) return parsed.data;
  throw invalid(param, `'${param}' must list 1 to ${mostModelsAsked} names of models.`);
}

function preferencesOf(member: unknown, header: string | undefined): Pick<AskedRouting, 'preferences'> {
  if (member == null && header === undefined) return {};
  const parsed = providerPreferences.safeParse(member ?? jsonOf(header));
  if (parsed.success) return { preferences: parsed.data };
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = ['provider', ...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])]
    .join('.')
    .slice(0, 100);
  throw invalid(path, `The gateway cannot follow '${path}'. ${whyNot(path)}`);
}

function whyNot(path: string): string {
  if (path.startsWith('provider.preferred_')) return 'It measures means and no percentiles, so send one number.';
  return unknowns.some((name) => path.startsWith(name)) ? `The catalogue has no such fact. ${known}` : known;
}

/** What OpenRouter promises of its providers. */
const unknowns = ['data_collection', 'zdr', 'quantizations', 'enforce_distillable_text'].map(
  (name) => `provider.${name}`,
);

const known = `It follows ${Object.keys(providerPreferences.shape).join(', ')} as docs/routing.md describes them.`;

function jsonOf(header: string | undefined): unknown {
  try {
    return JSON.parse(header ?? '');
  } catch {
    return undefined;
  }
}

const invalid = (param: string, message: string): GatewayError =>
  new GatewayError('invalid_parameters', message, { param });

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
