import { GatewayError, type Offer, type RequestHead } from '@tallyport/contracts';
import {
  createStandings,
  defaultRouting,
  type ModelIndex,
  type PassedOver,
  type Plan,
  type PlanGround,
  plansInTurn,
  readTargets,
  type Standings,
  withCustomProviders,
} from '@tallyport/dispatch';
import { customImageProvider, customProvider } from '@tallyport/providers';
import { openRouteCompiler, resolveRoute, type RouteChoice, type RouteFacts } from '@tallyport/routes';
import type { NamedRoutes } from '@tallyport/serving';
import { parseBody } from '../../services/chat-svc/src/parse-request.ts';
import { explainedCall } from '../../services/chat-svc/src/routing/explained-call.ts';
import { explainedChat, plainChat } from '../../services/chat-svc/src/routing/explained-chat.ts';
import {
  type Explained,
  type ExplainGrounds,
  planExplainedCall,
  planExplainedChat,
} from '../../services/chat-svc/src/routing/explained-plans.ts';
import type { RouteCase } from './case-file.ts';
import { bodyOf, headOf, timeOf } from './request-of-case.ts';
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

/** Plans the request as `POST /v1/routes/explain` does, without calling a provider. */
export async function decide(each: RouteCase, world: World): Promise<Decision> {
  const choices: RouteChoice[] = [];
  const now = timeOf(each);
  const standings = createStandings({ settings: defaultRouting, monotonic: () => 0, wallClock: () => now });
  try {
    const { own, standIns, passedOver } = await plansOf(
      each,
      headOf(each, world),
      groundsOf({ each, world, standings, choices }),
    );
    return { ...described(plansInTurn(own, standIns)), passedOver, choices };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { offers: [], models: [], passedOver: [], choices, reasons: [], error };
  } finally {
    standings.close();
  }
}

async function plansOf(each: RouteCase, head: RequestHead, grounds: ExplainGrounds): Promise<Explained> {
  const bytes = bodyOf(each);
  const value = parseBody(bytes);
  const call = await explainedCall(head, value, grounds);
  if (call !== undefined) return planExplainedCall(call, head, grounds);
  return planExplainedChat(explainedChat(head, bytes) ?? plainChat(value, head), head, grounds);
}

interface Circumstances {
  each: RouteCase;
  world: World;
  standings: Standings;
  /** Gets what routes decide, also if no model can be planned then. */
  choices: RouteChoice[];
}

function groundsOf({ each, world, standings, choices }: Circumstances): ExplainGrounds {
  const now = timeOf(each);
  const index = world.indexAt(now);
  const { chatTargets, imageTargets } = targetsOf(index);
  const ground: PlanGround = {
    index,
    obstacle: world.obstacle,
    standing: (offer) => ({ ...standings.of(offer), ...(isDown(each, offer, index) && { breaker: 'open' as const }) }),
    settings: defaultRouting,
    maxAttempts,
    // No exploration: the plan is the one that nearly every request gets.
    random: 1,
    now,
  };
  return {
    chats: ground,
    images: ground,
    targets: chatTargets,
    imageTargets,
    affinity: { of: () => undefined },
    routes: routesOf(world),
    budgetLeft: () => each.budgetLeft ?? Number.POSITIVE_INFINITY,
    resolving: (tools) => ({
      ...tools,
      async question(route) {
        const { facts } = await tools.question(route);
        const asked = { facts: factsOf(each, facts), key: () => each.conversation };
        choices.push(resolveRoute(route.compiled, asked));
        return asked;
      },
    }),
  };
}

/** A catalogue has the routes of the operator, and a case has no others. */
function routesOf({ routes }: World): NamedRoutes {
  const compile = openRouteCompiler();
  return {
    find(name) {
      const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
      return route && { owner: 'operator', compiled: compile(name, route) };
    },
  };
}

/** What conditions see of the request, with what the case says instead. */
function factsOf(each: RouteCase, { request, ...others }: RouteFacts): RouteFacts {
  const tokens = () => each.tokens ?? request.tokens();
  const decided = (_model: string, statement: string) => each.decisions.get(statement) ?? null;
  return { ...others, request: { ...request, tokens }, decided, now: new Date(timeOf(each)) };
}

const noAccess = () => ({ keys: [], baseUrl: undefined });

/** The adapters, which know what they cannot send. */
function targetsOf({ customProviders }: ModelIndex) {
  const chatTargets = withCustomProviders(readTargets([], noAccess), customProvider, noAccess);
  const imageTargets = withCustomProviders(readTargets([], noAccess), customImageProvider, noAccess);
  for (const targets of [chatTargets, imageTargets]) targets.setCustom(customProviders);
  return { chatTargets, imageTargets };
}

function isDown({ down }: RouteCase, offer: Offer, index: ModelIndex): boolean {
  const { providerId } = offer;
  const model = index.models().find(({ offers }) => offers.includes(offer))?.id ?? offer.modelName;
  return [providerId, model, `${providerId}/${model}`].some((name) => down.includes(name));
}

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
