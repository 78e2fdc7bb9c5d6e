import { Environment } from '@marcbachmann/cel-js';
import { type ConditionRecord, recordMembers } from './record.ts';
import { ForbiddenCondition, mostSteps, stepsOf } from './cost.ts';

interface Condition {
  /** Throws if the request does not have what the condition asks for. */
  holds(record: ConditionRecord): boolean;
}

/** `steps`: the most that it takes. */
export type CompiledCondition = { ok: true; condition: Condition; steps: number } | { ok: false; problem: string };

export type CompileCondition = (text: string) => CompiledCondition;

const limits = { maxAstNodes: 200, maxDepth: 20, maxListElements: 50, maxMapEntries: 0, maxCallArguments: 2 };

/** Opens the compiler of conditions, which knows their record. */
export function openConditions(): CompileCondition {
  const environment = new Environment({ limits });
  for (const [name, { ctor, fields }] of Object.entries(recordMembers)) {
    environment.registerType({ name: ctor.name, ctor, fields });
    environment.registerVariable(name, ctor.name);
  }
  return (text) => {
    try {
      return compile(environment, text);
    } catch (error) {
      return { ok: false, problem: reasonOf(error) };
    }
  };
}

function compile(environment: Environment, text: string): CompiledCondition {
  const parsed = environment.parse(text);
  const steps = stepsOf(parsed.ast);
  if (steps > mostSteps)
    return { ok: false, problem: `It may take ${steps} steps, and ${mostSteps} are allowed. Ask for less.` };
  const { valid, type, error } = parsed.check();
  if (!valid) return { ok: false, problem: reasonOf(error) };
  if (type !== 'bool') return { ok: false, problem: `It must be true or false, not of the type '${type}'.` };
  return { ok: true, steps, condition: { holds: (record) => parsed(record) === true } };
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
