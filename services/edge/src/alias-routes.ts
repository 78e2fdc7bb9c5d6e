import { geminiErrors, messagesErrors } from '@tallyport/contracts';
import type { RelayedRoute } from './routes.ts';

const own = '/v1';

/** Addresses that clients of other vendors put before the paths of OpenAI's API. */
const openAiBases = ['/openai/v1', '/v1beta/openai'] as const;
const anthropicBase = '/anthropic/v1';
/** Azure's API with an `api-version`. */
const azureBase = '/openai';

/** What Azure has below the name of a deployment, which is a model here. */
const deploymentPaths: ReadonlySet<string> = new Set(
  [
    '/chat/completions',
    '/completions',
    '/embeddings',
    '/audio/speech',
    '/audio/transcriptions',
    '/audio/translations',
    '/images/generations',
    '/images/edits',
  ].map((path) => own + path),
);

/**
 * The addresses under which clients of other vendors find the same routes, so that these clients need only another host.
 * Errors and metrics are those of the route.
 */
export function aliasRoutes(routes: readonly RelayedRoute[]): readonly RelayedRoute[] {
  const below = routes.filter(({ path }) => path.startsWith(`${own}/`));
  const ofAnthropic = below.filter(({ errors }) => errors === messagesErrors);
  const ofOpenAi = below.filter(({ errors }) => errors !== messagesErrors && errors !== geminiErrors);
  const shared = ofOpenAi.filter(({ path }) => path.startsWith('/v1/models') || path.startsWith('/v1/files'));
  const ofResponses = ofOpenAi.filter(({ path }) => path.startsWith('/v1/responses'));
  const ofGoogle = routes.filter(({ method, errors }) => method === 'POST' && errors === geminiErrors);
  const sessionsOfGoogle = routes.filter(({ socket }) => socket === 'live');
  const deployed = ofOpenAi.filter(({ path }) => deploymentPaths.has(path));
  return [
    ...openAiBases.flatMap((base) => ofOpenAi.map((route) => at(base, route))),
    ...[...ofAnthropic, ...shared].map((route) => at(anthropicBase, route)),
    ...[...ofResponses, ...shared].map((route) => at(azureBase, route)),
    ...ofGoogle.flatMap(withoutModels),
    ...sessionsOfGoogle.flatMap(inOtherForms),
    ...deployed.map((route) => ({ ...at(`${azureBase}/deployments/{id}`, route), namesModel: true as const })),
  ];
}

const verbs = ['generateContent', 'streamGenerateContent', 'embedContent', 'batchEmbedContents'];

/**
 * Google's clients leave out `models/` before a name with a slash, such as `provider/model`, because Google's other kinds of
 * models have one (`tunedModels/…`). The verb identifies such an address.
 */
function withoutModels(route: RelayedRoute): RelayedRoute[] {
  const [version = '', end = ''] = route.path.split('/models/{id}');
  const ends = end === '' ? verbs.map((verb) => `:${verb}`) : [end];
  return ends.map((verb) => ({ ...route, path: `${version}/{id}${verb}`, countedAs: route.path }));
}

/** Google's clients use either version, and its SDK for JavaScript writes two slashes behind a host. */
function inOtherForms(route: RelayedRoute): RelayedRoute[] {
  const { path } = route;
  const stable = path.replace('.v1beta.', '.v1.');
  return [stable, `/${path}`, `/${stable}`].map((other) => ({ ...route, path: other, countedAs: path }));
}

const at = (base: string, route: RelayedRoute): RelayedRoute => ({
  ...route,
  path: base + route.path.slice(own.length),
  countedAs: route.path,
});
