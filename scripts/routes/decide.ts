import { GatewayError, type Offer, type RequestHead } from '@tallyport/contracts';
import {
  createStandings,
  defaultRouting,
  healthyFirst,
  type ModelIndex,
  offersBefore,
  type Plan,
  readTargets,
  resolveModel,
  withCustomProviders,
} from '@tallyport/dispatch';
import { customImageProvider, customProvider } from '@tallyport/providers';
import { openRouteCompiler, type RouteChoice, type RouteFacts } from '@tallyport/routes';
import { askedModels, type NamedRoutes, type PassedOver, planEach, type RouteTools } from '@tallyport/serving';
import { chatRoutes } from '../../services/chat-svc/src/named-routes/chat-routes.ts';
import { planTextChat } from '../../services/chat-svc/src/planning.ts';
import { withImageModality } from '../../services/chat-svc/src/images/image-modality.ts';
import { type ReadRequest, withModel, withSuffixRead } from '../../services/chat-svc/src/read-request.ts';
import type { RouteCase } from './case-file.ts';
import { headOf, readRequest, timeOf } from './request-of-case.ts';
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
    const asked = await askedModels(names, routesOf({ each, read, world }, head));
    choices.push(...asked.choices.map(({ choice }) => choice));
    const planned = await planEach<Plan>(asked.models, {
      planWith: async ({ model }, before) => planWith({ ...withModel(read, model), before }, head, { each, world }),
      planOf: (plan) => plan,
      preferences: read.preferences,
    });
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

/** How the names of routes are resolved. A catalogue has those of the operator, and a case has no others. */
function routesOf({ each, read, world }: Circumstances & { read: ReadRequest }, head: RequestHead): RouteTools {
  const compile = openRouteCompiler();
  const routes: NamedRoutes = {
    find(name) {
      const route = Object.hasOwn(world.routes, name) ? world.routes[name] : undefined;
      return route && { owner: 'operator', compiled: compile(name, route) };
    },
  };
  const tools = chatRoutes({ routes, budgetLeft: () => each.budgetLeft ?? Number.POSITIVE_INFINITY }, head, read);
  return {
    ...tools,
    async question(route) {
      const { facts } = await tools.question(route);
      return { facts: factsOf(each, facts), key: () => each.conversation };
    },
  };
}

/** What conditions see of the request, with what the case says instead. */
function factsOf(each: RouteCase, { request, ...others }: RouteFacts): RouteFacts {
  const tokens = () => each.tokens ?? request.tokens();
  return { ...others, request: { ...request, tokens }, now: new Date(timeOf(each)) };
}

interface PlacedRequest extends ReadRequest {
  /** The plans of the models that have their turn before. */
  before: readonly Plan[];
}

function planWith(named: PlacedRequest, head: RequestHead, { each, world }: Circumstances): Plan {
  const now = timeOf(each);
  const index = world.indexAt(now);
  const { request, ...either } = withSuffixRead(named, index);
  const { model } = resolveModel(request.model, index);
  const { chatTargets, imageTargets } = targetsOf(index);
  const standings = createStandings({ settings: defaultRouting, monotonic: () => 0, wallClock: () => now });
  try {
    return planTextChat(
      {
        head,
        request: withImageModality(request, model),
        ...either,
        model,
        chatTargets,
        cachedAt: undefined,
        tried: offersBefore(named.before),
      },
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
