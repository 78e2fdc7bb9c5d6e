import type { ASTNode } from '@marcbachmann/cel-js';

/** A statement about the request, of which a decision model says how likely it is. */
export interface RouteDecision {
  model: string;
  statement: string;
  /** How long the request waits for it. */
  timeoutMs: number;
}

const defaultMs = 1_000;
const [leastMs, mostMs] = [50, 5_000];
const longestModel = 200;

export const decisionFunction = 'decide';

/** CEL has no overloads by whether an argument is there, and none for whole and other numbers. */
export const decisionSignatures = ['double', 'int'].flatMap((type) =>
  ['', ', int'].map((deadline) => `${decisionFunction}(string, string, ${type}${deadline}): double`),
);

/** Returns the decision of a call, or why it is none. */
export function decisionOf(args: readonly ASTNode[]): RouteDecision | string {
  const values = args.map((arg): unknown => (arg.op === 'value' ? arg.args : undefined));
  if (values.length < 3 || values.length > 4 || values.includes(undefined)) return notLiteral;
  const [model, statement, fallback, time = defaultMs] = values;
  const decision = { model: textOf(model), statement: textOf(statement), timeoutMs: Number(time) };
  return problemOf(decision, Number(fallback)) ?? decision;
}

const notLiteral =
  "'decide' takes a model, a statement, a probability that counts without an answer, and milliseconds, each as it is and not computed.";

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function problemOf({ model, statement, timeoutMs }: RouteDecision, fallback: number): string | undefined {
  if (model.trim() === '' || model.length > longestModel)
    return `The model of 'decide' must be a text of 1 to ${longestModel} characters.`;
  if (statement.trim() === '') return "The statement of 'decide' must be a text.";
  if (!isWithin(fallback, [0, 1])) return "The probability of 'decide' must be between 0 and 1.";
  return isWithin(timeoutMs, [leastMs, mostMs]) ? undefined : `'decide' may wait ${leastMs} to ${mostMs} milliseconds.`;
}

const isWithin = (value: number, [least, most]: readonly [number, number]): boolean => value >= least && value <= most;
