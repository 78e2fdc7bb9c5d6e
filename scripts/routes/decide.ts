import { GatewayError, type Offer, type RequestHead } from '@tallyport/contracts';
import {
  createStandings,
  defaultRouting,
  healthyFirst,
  type ModelIndex,
  type Plan,
  readTargets,
  resolveModel,
  withCustomProviders,
} from '@tallyport/dispatch';
import { customImageProvider, customProvider } from '@tallyport/providers';
import { compileRoutes, resolveRoute, type RouteChoice } from '@tallyport/routes';
import { type PassedOver, planEach } from '@tallyport/serving';
import { planTextChat } from '../../services/chat-svc/src/planning.ts';
import { withImageModality } from '../../services/chat-svc/src/images/image-modality.ts';
import { type ReadRequest, withModel, withSuffixRead } from '../../services/chat-svc/src/read-request.ts';
import type { RouteCase } from './case-file.ts';
import { headOf, readRequest, timeOf } from './request-of-case.ts';
import { factsOf } from './facts-of-case.ts';
import type { World } from './world.ts';

/** What the gateway would do with the request of a case. */
export interface Decision {
  /** In the order in which they are tried: `provider/model`. */
  offers: readonly string[];
  models: readonly string[];
  passedOver: readonly PassedOver[];
  /** What each route decided. */
  choices: readonly RouteChoice[];
  /** Why each offer has its place. */
  reasons: readonly string[];
  error?: GatewayError;
}

/** As many as chat-svc tries of one model. */
const maxAttempts = 3;

/** Plans the request as chat-svc does, without calling a provider. */
export async function decide(each: RouteCase, world: World): Promise<Decision> {
  const choices: RouteChoice[] = [];
  try {
    const head = headOf(each);
    const read = readRequest(each, head);
    const names = [read.request.model, ...(read.standIns ?? [])];
    const [model = '', ...standIns] = modelsOf(names, { each, read, world, choices });
    const planned = await planEach(
      { model, standIns, preferences: read.preferences },
      async (name) => planWith(withModel(read, name), head, { each, world }),
      (plan) => plan,
    );
    const turns = healthyFirst([planned.own, ...planned.standIns], (plan) => plan);
    return { ...described(turns), passedOver: planned.passedOver, choices };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { offers: [], models: [], passedOver: [], choices, reasons: [], error };
  }
}

interface Circumstances {
  each: RouteCase;
  world: World;
}

/** The models in the place of the names of routes; each one once. */
function modelsOf(
  names: readonly string[],
  { each, read, world, choices }: Circumstances & { read: ReadRequest; choices: RouteChoice[] },
): string[] {
  const compiled = compileRoutes(world.routes);
  const models = names.flatMap((name) => {
    const route = compiled.get(name);
    if (route === undefined) return [name];
    const choice = resolveRoute(route, { facts: factsOf(each, read), key: () => each.conversation });
    choices.push(choice);
    return choice.models.map(({ model }) => model);
  });
  return [...new Set(models)];
}

function planWith(named: ReadRequest, head: RequestHead, { each, world }: Circumstances): Plan {
  const now = timeOf(each);
  const index = world.indexAt(now);
  const { request, ...either } = withSuffixRead(named, index);
  const { model } = resolveModel(request.model, index);
  const { chatTargets, imageTargets } = targetsOf(index);
  const standings = createStandings({ settings: defaultRouting, monotonic: () => 0, wallClock: () => now });
  try {
    return planTextChat(
      { head, request: withImageModality(request, model), ...either, model, chatTargets, cachedAt: undefined },
      imageTargets,
      {
        index,
        obstacle: world.obstacle,
        standing: (offer: Offer) => ({
          ...standings.of(offer),
          ...(isDown(each, offer, model.id) && { breaker: 'open' as const }),
        }),
        settings: defaultRouting,
        maxAttempts,
        // No exploration: the plan is the one that nearly every request gets.
        random: 1,
        now,
      },
    );
  } finally {
    standings.close();
  }
}

const noAccess = () => ({ keys: [], baseUrl: undefined });

/** The adapters, which know what they cannot send. */
function targetsOf({ customProviders }: ModelIndex) {
  const chatTargets = withCustomProviders(readTargets([], noAccess), customProvider, noAccess);
  const imageTargets = withCustomProviders(readTargets([], noAccess), customImageProvider, noAccess);
  for (const targets of [chatTargets, imageTargets]) targets.setCustom(customProviders);
  return { chatTargets, imageTargets };
}

const isDown = ({ down }: RouteCase, { providerId }: Offer, model: string): boolean =>
  [providerId, model, `${providerId}/${model}`].some((name) => down.includes(name));

function described(turns: readonly Plan[]): Pick<Decision, 'offers' | 'models' | 'reasons'> {
  const tried = turns.flatMap(({ model, candidates, maxAttempts: most }) =>
    candidates.slice(0, most).map(({ offer, reason }) => ({ name: `${offer.providerId}/${model.id}`, reason })),
  );
  return {
    offers: tried.map(({ name }) => name),
    models: [...new Set(turns.map(({ model }) => model.id))],
    reasons: tried.map(({ name, reason }) => `${name}: ${reason}`),
  };
}
