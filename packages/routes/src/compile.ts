import type { LoadedRoute, Route } from '@tallyport/contracts';
import { type CompileCondition, type CompiledCondition, openConditions } from './conditions/condition.ts';
import type { RouteDecision } from './conditions/decision.ts';
import { bitsOf, type Weighted } from './weights.ts';

export interface CompiledRoute {
  readonly name: string;
  readonly route: LoadedRoute;
  readonly targets: readonly CompiledTarget[];
  readonly conditions: readonly CompiledCondition[];
  /** Whether a condition may ask what is left of the budgets. */
  readonly readsBudget: boolean;
  /** What its conditions may ask decision models. */
  readonly decisions: readonly RouteDecision[];
}

interface CompiledTarget extends Weighted {
  readonly model: string;
  /** Of all weights, from 0 to 1. */
  readonly share: number;
}

type CompileRoute = (name: string, route: LoadedRoute) => CompiledRoute;

/**
 * Opens the compiler of routes, which makes them ready to be resolved. A condition that is not valid counts as one that
 * fails, so it never throws.
 */
export function openRouteCompiler(): CompileRoute {
  const compile = openConditions();
  return (name, route) => compileRoute({ name, route }, compile);
}

function compileRoute(
  { name, route }: Pick<CompiledRoute, 'name' | 'route'>,
  compile: CompileCondition,
): CompiledRoute {
  const sum = route.targets.reduce((total, { weight }) => total + weight, 0);
  const conditions = route.when.map((condition) => compile(condition.if));
  return {
    name,
    route,
    readsBudget: route.when.some((condition) => /\bbudget\b/.test(condition.if)),
    targets: route.targets.map(({ model, weight }) => ({
      model,
      weight,
      bits: bitsOf(model),
      share: sum === 0 ? 0 : weight / sum,
    })),
    conditions,
    decisions: decisionsOf(conditions),
  };
}

const decisionsOf = (conditions: readonly CompiledCondition[]): RouteDecision[] =>
  conditions.flatMap((condition) => (condition.ok ? condition.decisions : []));

interface RouteProblem {
  /** The member, such as `when[1].if`. */
  param: string;
  message: string;
}

/** A condition takes up to 2,000. All of a route together are evaluated for each of its requests. */
const mostStepsOfAll = 5_000;
/** A request waits for one model after the other. */
const mostModelsOfAll = 3;

/** What is wrong with a route besides its shape, which `routeSchema` checks. Empty if it may be stored. */
export function checkRoute({ targets, when }: Pick<Route, 'targets' | 'when'>): RouteProblem[] {
  const compile = when.length === 0 ? undefined : openConditions();
  const compiled = when.flatMap((condition) => compile?.(condition.if) ?? []);
  const conditions = compiled.flatMap((condition, at) =>
    condition.ok ? [] : [{ param: `when[${at}].if`, message: condition.problem }],
  );
  const steps = compiled.reduce((sum, condition) => sum + (condition.ok ? condition.steps : 0), 0);
  const tooMany = `All conditions may take ${steps} steps, and ${mostStepsOfAll} are allowed. Ask for less.`;
  const models = new Set(decisionsOf(compiled).map(({ model }) => model));
  const manyModels = `All conditions may ask ${models.size} decision models, and ${mostModelsOfAll} are allowed. Ask fewer.`;
  const many = models.size > mostModelsOfAll ? [{ param: 'when', message: manyModels }] : [];
  const long = steps > mostStepsOfAll ? [{ param: 'when', message: tooMany }] : [];
  const first = (model: string): number => targets.findIndex((target) => target.model === model);
  const repeated = targets.flatMap(({ model }, at) =>
    first(model) === at ? [] : [{ param: `targets[${at}].model`, message: `'${model}' is a target already.` }],
  );
  return [...repeated, ...conditions, ...long, ...many];
}
