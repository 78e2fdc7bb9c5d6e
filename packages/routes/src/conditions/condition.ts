import { Environment } from '@marcbachmann/cel-js';
import { type ConditionRecord, recordMembers } from './record.ts';
import { decisionsIn, ForbiddenCondition, mostSteps, stepsOf } from './cost.ts';
import { decisionSignatures, type RouteDecision } from './decision.ts';

/** The probability of a statement, or `undefined` if its default counts. May throw. */
export type Decide = (model: string, statement: string) => number | undefined;

interface Condition {
  /** Throws if the request does not have what the condition asks for, or `decide` did and it depends on that. */
  holds(record: ConditionRecord, decide: Decide): boolean;
}

/** `steps`: the most that it takes; `decisions`: what it may ask for. */
export type CompiledCondition =
  | { ok: true; condition: Condition; steps: number; decisions: readonly RouteDecision[] }
  | { ok: false; problem: string };

export type CompileCondition = (text: string) => CompiledCondition;

const limits = { maxAstNodes: 200, maxDepth: 20, maxListElements: 50, maxMapEntries: 0, maxCallArguments: 4 };

/** Opens the compiler of conditions, which knows their record. */
export function openConditions(): CompileCondition {
  const environment = new Environment({ limits });
  // Functions get no record. An evaluation is one piece of work, so there is only one at a time.
  const evaluation: Evaluation = { decide: () => undefined };
  for (const signature of decisionSignatures) {
    environment.registerFunction(signature, (model: string, statement: string, fallback: bigint | number) =>
      Number(evaluation.decide(model, statement) ?? fallback),
    );
  }
  for (const [name, { ctor, fields }] of Object.entries(recordMembers)) {
    environment.registerType({ name: ctor.name, ctor, fields });
    environment.registerVariable(name, ctor.name);
  }
  return (text) => {
    try {
      return compile({ environment, evaluation }, text);
    } catch (error) {
      return { ok: false, problem: reasonOf(error) };
    }
  };
}

interface Evaluation {
  decide: Decide;
}

interface Compiling {
  environment: Environment;
  evaluation: Evaluation;
}

function compile({ environment, evaluation }: Compiling, text: string): CompiledCondition {
  const parsed = environment.parse(text);
  const steps = stepsOf(parsed.ast);
  if (steps > mostSteps)
    return { ok: false, problem: `It may take ${steps} steps, and ${mostSteps} are allowed. Ask for less.` };
  const { valid, type, error } = parsed.check();
  if (!valid) return { ok: false, problem: reasonOf(error) };
  if (type !== 'bool') return { ok: false, problem: `It must be true or false, not of the type '${type}'.` };
  const holds: Condition['holds'] = (record, decide) => {
    evaluation.decide = decide;
    return parsed(record) === true;
  };
  return { ok: true, steps, decisions: decisionsIn(parsed.ast), condition: { holds } };
}

const longestProblem = 200;

/** What the library says, without its picture of the place. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'It cannot be evaluated.';
  const summary = error instanceof ForbiddenCondition ? error.message : summaryOf(error);
  return (summary.split('\n', 1)[0] ?? '').slice(0, longestProblem);
}

function summaryOf(error: Error): string {
  const summary: unknown = Reflect.get(error, 'summary');
  const range: unknown = Reflect.get(error, 'range');
  const at = typeof range === 'object' && range !== null ? Reflect.get(range, 'start') : undefined;
  const text = typeof summary === 'string' ? summary : error.message;
  return typeof at === 'number' ? `${text} (at character ${at + 1})` : text;
}
