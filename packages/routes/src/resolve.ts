import type { CompiledRoute } from './compile.ts';
import { type CompiledCondition, type Decide, reasonOf } from './conditions/condition.ts';
import type { RouteDecision } from './conditions/decision.ts';
import { type ConditionRecord, recordOf } from './conditions/record.ts';
import type { RouteFacts } from './facts.ts';
import { bitsOf, orderByWeight } from './weights.ts';

/** Why a model has its place: the condition or the weights chose it, or what was chosen before it may fail. */
type RouteReason = 'condition' | 'weight' | 'other_target' | 'then';

interface ConditionResult {
  if: string;
  use: readonly string[];
  /** A condition that failed counts as false. After the first one that is true, no other is evaluated. */
  result: 'true' | 'false' | 'failed' | 'not_evaluated';
  /** Why it failed. */
  problem?: string;
}

interface TargetShare {
  model: string;
  weight: number;
  /** Of all weights, from 0 to 1. */
  share: number;
  chosen: boolean;
}

interface RouteModel {
  model: string;
  reason: RouteReason;
}

/** What a route decided about a request. */
export interface RouteChoice {
  route: CompiledRoute;
  conditions: readonly ConditionResult[];
  targets: readonly TargetShare[];
  /** In the order in which they are asked; each one once. */
  models: readonly RouteModel[];
  /** What has to be decided first: no condition from there on is evaluated. */
  wanted?: RouteDecision;
}

export interface RouteQuestion {
  facts: RouteFacts;
  /** Requests with the same key get the same target. Called only if the weights decide. */
  key(): string;
}

/** Decides in which order the models of a route are asked. Pure, and never throws. */
export function resolveRoute(compiled: CompiledRoute, question: RouteQuestion): RouteChoice {
  const { route, targets } = compiled;
  const { conditions, wanted } = evaluate(compiled, question.facts);
  const met = conditions.find(({ result }) => result === 'true');
  const first = met === undefined ? byWeight(compiled, question) : met.use.map((model) => of(model, 'condition'));
  const models = withoutRepeats([...first, ...route.then.map((model) => of(model, 'then'))]);
  const chosen = models.find(({ reason }) => reason === 'weight')?.model;
  return {
    route: compiled,
    conditions,
    targets: targets.map(({ model, weight, share }) => ({ model, weight, share, chosen: model === chosen })),
    models,
    ...(wanted && { wanted }),
  };
}

const of = (model: string, reason: RouteReason): RouteModel => ({ model, reason });

function byWeight({ name, targets }: CompiledRoute, { key }: RouteQuestion): RouteModel[] {
  const isChoice = targets.length > 1;
  const ordered = isChoice ? orderByWeight(targets, bitsOf(`${name}\0${key()}`)) : targets;
  return ordered.map(({ model }, at) => of(model, at === 0 ? 'weight' : 'other_target'));
}

const withoutRepeats = (models: readonly RouteModel[]): RouteModel[] =>
  models.filter(({ model }, at) => models.findIndex((each) => each.model === model) === at);

type Evaluated = Pick<RouteChoice, 'conditions' | 'wanted'>;

function evaluate({ route, conditions }: CompiledRoute, facts: RouteFacts): Evaluated {
  if (conditions.length === 0) return { conditions: [] };
  const record = recordOf(facts);
  let end: Outcome | undefined;
  const results = route.when.map(({ if: text, use }, at): ConditionResult => {
    const compiled = conditions[at];
    if (end !== undefined || compiled === undefined) return { if: text, use, result: 'not_evaluated' };
    const { wanted, ...outcome } = outcomeOf(compiled, record, facts);
    if (outcome.result === 'true' || wanted !== undefined) end = { ...outcome, wanted };
    return { if: text, use, ...outcome };
  });
  return { conditions: results, ...(end?.wanted && { wanted: end.wanted }) };
}

interface Outcome extends Pick<ConditionResult, 'result' | 'problem'> {
  wanted?: RouteDecision | undefined;
}

function outcomeOf(compiled: CompiledCondition, record: ConditionRecord, { decided }: RouteFacts): Outcome {
  if (!compiled.ok) return { result: 'failed', problem: compiled.problem };
  let wanted: RouteDecision | undefined;
  const decide: Decide = (model, statement) => {
    const known = decided(model, statement);
    if (known !== undefined) return known ?? undefined;
    wanted ??= compiled.decisions.find((each) => each.model === model && each.statement === statement);
    throw new Error('It is not decided yet.');
  };
  try {
    // It may not depend on what is not decided.
    return { result: compiled.condition.holds(record, decide) ? 'true' : 'false' };
  } catch (error) {
    return wanted ? { result: 'not_evaluated', wanted } : { result: 'failed', problem: reasonOf(error) };
  }
}
