import type { ASTNode } from '@marcbachmann/cel-js';
import { decisionFunction, decisionOf, type RouteDecision } from './decision.ts';
import { mostTools, recordMembers } from './record.ts';

/** The highest cost of a condition: a step for each node of its tree, and for each name of a list that it goes through. */
export const mostSteps = 2_000;

/** What a condition may call. None of them takes longer than its text and the values of the record are long. */
const functions = ['size', 'int', 'double', 'string', 'has', decisionFunction];
const methods = ['size', 'contains', 'startsWith', 'endsWith', 'lowerAscii', 'upperAscii'];
/** They evaluate their last argument for each element of a list. */
const loops = ['exists', 'all'];

/** A list is searched faster than by evaluating an expression for each element. */
const stepsOfSearch = mostTools / 8;

const fieldsOf: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(recordMembers).map(([name, { fields }]) => [name, Object.keys(fields)]),
);

/** Thrown for what a condition must not contain, with the reason for its author. */
export class ForbiddenCondition extends Error {
  override readonly name = 'ForbiddenCondition';
}

/** The steps that an expression can take at most. Throws `ForbiddenCondition` for what no condition may contain. */
export function stepsOf(node: ASTNode): number {
  switch (node.op) {
    case 'value':
    case 'id':
    // No map has an entry.
    case 'map':
      return 1;
    case '.':
    case '.?':
      checkMember(node.args[0], node.args[1]);
      return 1 + stepsOf(node.args[0]);
    case 'call':
      return stepsOfFunction(...node.args);
    case 'rcall':
      return stepsOfMethod(...node.args);
    case 'list':
      return 1 + stepsOfAll(node.args);
    case '!_':
    case '-_':
      return 1 + stepsOf(node.args);
    case 'in':
      return stepsOfSearch + stepsOfAll(node.args);
    default:
      return 1 + stepsOfAll(node.args);
  }
}

const stepsOfAll = (nodes: readonly ASTNode[]): number => nodes.reduce((sum, node) => sum + stepsOf(node), 0);

function stepsOfFunction(name: string, args: readonly ASTNode[]): number {
  checkName(name, functions);
  if (name === decisionFunction) checkedDecision(args);
  return 1 + stepsOfAll(args);
}

function stepsOfMethod(name: string, receiver: ASTNode, args: readonly ASTNode[]): number {
  checkName(name, [...methods, ...loops]);
  const body = stepsOfAll(args);
  return 1 + stepsOf(receiver) + (loops.includes(name) ? body * mostTools : body);
}

function checkName(name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  const all = [...new Set([...functions, ...methods, ...loops])].join(', ');
  throw new ForbiddenCondition(`'${name}' is not available in conditions; these are: ${all}.`);
}

/** Throws `ForbiddenCondition` for a call that asks for no decision. */
function checkedDecision(args: readonly ASTNode[]): RouteDecision {
  const decision = decisionOf(args);
  if (typeof decision === 'string') throw new ForbiddenCondition(decision);
  return decision;
}

/** The decisions that an expression may ask for, which `stepsOf` has accepted. */
export function decisionsIn(node: ASTNode): RouteDecision[] {
  if (node.op === 'call' && node.args[0] === decisionFunction) return [checkedDecision(node.args[1])];
  return nodesIn(node.args).flatMap(decisionsIn);
}

const nodesIn = (args: unknown): ASTNode[] => {
  if (Array.isArray(args)) return args.flatMap(nodesIn);
  return isNode(args) ? [args] : [];
};

const isNode = (value: unknown): value is ASTNode => typeof value === 'object' && value !== null && 'op' in value;

/** `has` does not check that the member is one that the record can have. */
function checkMember(of: ASTNode, member: string): void {
  const known = of.op === 'id' ? fieldsOf.get(of.args) : undefined;
  if (known === undefined || known.includes(member)) return;
  throw new ForbiddenCondition(`'${of.args}' has no '${member}'; it has ${known.join(', ')}.`);
}
