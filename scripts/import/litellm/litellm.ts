import { type Draft, setCacheTtl, startDraft } from '../draft.ts';
import type { KnownModels } from '../known-models.ts';
import { type Members, openMembers, type Reason } from '../members.ts';
import { nameSecrets } from '../secret-names.ts';
import type { DeploymentContext } from './context.ts';
import { type Deployment, readDeployment } from './deployment.ts';
import { groupsOf } from './groups.ts';
import { addRoutes } from './routes.ts';
import { readRouter } from './router.ts';
import { variableIn } from './reference.ts';
import { generalReasons, rootReasons } from './reasons.ts';

interface Surroundings {
  known: KnownModels;
  /** Addresses may refer to variables. */
  environment: Readonly<Record<string, string | undefined>>;
}

/** Turns a `config.yaml` of LiteLLM's proxy into a draft. */
export function importLitellm(config: unknown, { known, environment }: Surroundings): Draft {
  const draft = startDraft(known);
  const secrets = nameSecrets(draft.left, variableIn);
  const root = openMembers(config, [], draft.left);
  const section = (name: string): Members => root.object(name) ?? openMembers(null, [name], draft.left);
  const general = section('general_settings');
  const settings = section('litellm_settings');
  const credentials = readCredentials(root, draft);
  const deployments = readDeployments(root.list('model_list'), { draft, secrets, credentials, environment });
  reportWildcards(deployments, draft);
  reportSharedOffers(deployments, draft);
  readCache(settings, draft);
  const router = readRouter(section('router_settings'), settings, draft);
  addRoutes(groupsOf(deployments, draft, router.strategy), router, draft);
  general.leaveRest(generalReasons);
  root.leaveRest(rootReasons);
  return draft;
}

/** More would take minutes, and a gateway document has room for a hundred routes. */
const mostDeployments = 2_000;

function readDeployments(entries: readonly unknown[], context: DeploymentContext): Deployment[] {
  if (entries.length > mostDeployments) {
    const reason = `Only the first ${mostDeployments} models are read.`;
    context.draft.left.add(['model_list', mostDeployments], reason, 'Divide the file.');
  }
  return entries
    .slice(0, mostDeployments)
    .flatMap((entry, at) => readDeployment(entry, ['model_list', at], context) ?? []);
}

function readCredentials(root: Members, { left }: Draft): Map<string, object> {
  return new Map(
    root.list('credential_list').flatMap((entry, at) => {
      const members = openMembers(entry, ['credential_list', at], left);
      const name = members.text('credential_name');
      const values = members.value('credential_values');
      members.value('credential_info');
      members.leaveRest();
      return name !== undefined && typeof values === 'object' && values !== null ? [[name, values] as const] : [];
    }),
  );
}

function reportWildcards(deployments: readonly Deployment[], { left }: Draft): void {
  for (const { path, group, provider } of deployments.filter(({ model }) => model === undefined)) {
    const isPrefix = group === '*' || group === `${provider}/*`;
    const instead = isPrefix
      ? 'Nothing, or set UNKNOWN_MODELS=allow for models that are in no list.'
      : `Ask for ${provider}/MODEL.`;
    left.add([...path, 'model_name'], 'Every model of the catalogue can be asked for without an entry.', instead);
  }
}

/** Several deployments that differ in their key only are one offer with several keys. */
function reportSharedOffers(deployments: readonly Deployment[], { left }: Draft): void {
  const seen = new Set<string>();
  for (const { path, group, provider, model } of deployments) {
    const offer = JSON.stringify([group, provider, model]);
    if (seen.has(offer)) left.add(path, 'Several keys of one provider are tried in their order.', '');
    seen.add(offer);
  }
}

const cacheReasons: Readonly<Record<string, Reason>> = {
  mode: ['Caching is not asked for with each request.', 'Send x-no-cache: true where it must not be used.'],
};

const otherStore: Reason = ['Answers are cached in the Redis of the gateway, by equality.', 'Set CACHE_REDIS_URL.'];

function readCache(settings: Members, draft: Draft): void {
  const isOn = settings.flag('cache');
  const parameters = settings.object('cache_params');
  const ttl = parameters?.number('ttl');
  if (isOn === false) draft.settings = { cacheTtlSeconds: 0 };
  if (isOn === true && ttl !== undefined) setCacheTtl(draft, ttl);
  const store = Object.fromEntries((parameters?.names() ?? []).map((name) => [name, otherStore]));
  parameters?.leaveRest({ ...store, ...cacheReasons });
}
