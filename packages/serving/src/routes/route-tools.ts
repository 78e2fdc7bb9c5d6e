import { type Principal, type RequestHead, routeHeaderPrefix, type UsageOperation } from '@tallyport/contracts';
import { askedFallback } from '@tallyport/dispatch';
import type { RouteDecision, RouteFacts, RouteQuestion } from '@tallyport/routes';
import type { Decider } from '../decider/decider.ts';
import { createRouteDecisions } from './route-decisions.ts';
import type { FoundRoute, NamedRoutes } from './open-routes.ts';
import type { PromptFacts } from './prompt-facts.ts';

/** What routes depend on besides a request. */
export interface RouteGround {
  routes: NamedRoutes;
  /** In USD; infinite without a budget. */
  budgetLeft(principal: Principal | undefined): number | Promise<number>;
  /** Absent if no model may be asked: the defaults of conditions count then. */
  decider?: Pick<Decider, 'ask'> | undefined;
}

/** A request that may name routes, as their conditions see it. */
interface RoutedRequest extends Pick<RouteTools, 'onSeveral'> {
  head: RequestHead;
  endUser: string | undefined;
  facts: Omit<RouteFacts['request'], 'endUser' | 'headers'>;
  /** What decision models are asked about; empty if there is no text. */
  text(): string;
  /** Aborts once no caller waits; absent if no model is asked. */
  signal?: AbortSignal | undefined;
  /** What the weights of a route are kept by. */
  stableKey(): string;
  /** Called if it names a route. */
  onRoute?: (() => void) | undefined;
}

/** How the names of a request are resolved. */
export interface RouteTools {
  find(name: string): FoundRoute | undefined | Promise<FoundRoute | undefined>;
  /** What conditions and weights need to know of the request; asked only for a route. */
  question(route: FoundRoute): RouteQuestion | Promise<RouteQuestion>;
  /** Asks a model for what a condition of the route wants, with all else that the route may ask it. */
  decide(wanted: RouteDecision, route: FoundRoute): Promise<void>;
  /** The client forbids that another model answers. */
  onlyFirst: boolean;
  /** Called if there are several models. Throws if the request can have only one. */
  onSeveral?: (() => void) | undefined;
}

export function routeTools(ground: RouteGround, routed: RoutedRequest): RouteTools {
  const { head, stableKey, onRoute, onSeveral } = routed;
  const { principal } = head;
  const key = (): string => `${principal?.accountId ?? ''}\0${stableKey()}`;
  const { decided, decide } = createRouteDecisions(ground.decider, routed);
  const question = (budgetLeft: number) => ({ facts: { ...factsOf(routed, budgetLeft), decided }, key });
  return {
    onlyFirst: askedFallback(head) === 'never',
    onSeveral,
    find: (name) => ground.routes.find(name, principal),
    decide: (wanted, { compiled }) => decide(wanted, compiled.decisions),
    question({ compiled }) {
      onRoute?.();
      const left = compiled.readsBudget ? ground.budgetLeft(principal) : Number.POSITIVE_INFINITY;
      return left instanceof Promise ? left.then(question) : question(left);
    },
  };
}

function factsOf({ head, endUser = '', facts }: RoutedRequest, budgetLeft: number): Omit<RouteFacts, 'decided'> {
  const { principal } = head;
  return {
    request: { ...facts, endUser, headers: () => headersOf(head) },
    keyId: principal?.keyId ?? '',
    projectId: principal?.projectId ?? '',
    accountId: principal?.accountId ?? '',
    accountTags: principal?.accountTags ?? [],
    budgetLeft,
    now: new Date(),
  };
}

const headersOf = ({ headers }: RequestHead): ReadonlyMap<string, string> =>
  new Map(Object.entries(headers).filter(([name]) => name.startsWith(routeHeaderPrefix)));

interface RoutedPrompt extends Pick<RoutedRequest, 'endUser' | 'head' | 'onSeveral' | 'signal'> {
  operation: UsageOperation;
  prompt: PromptFacts;
}

/** Texts differ within this length, and it is bounded. */
const longestText = 4_000;

/** How the names of a request are resolved that is no chat. Its end user, or else the same prompt, keeps its target. */
export const promptRoutes = (ground: RouteGround, { operation, prompt, ...request }: RoutedPrompt) =>
  routeTools(ground, {
    ...request,
    facts: {
      tokens: prompt.tokens,
      modalities: prompt.modalities,
      tools: () => [],
      structuredOutput: false,
      stream: false,
      api: operation,
    },
    text: () => prompt.beginning?.() ?? '',
    stableKey: () => request.endUser ?? prompt.beginning?.()?.slice(0, longestText) ?? request.head.requestId,
  });
