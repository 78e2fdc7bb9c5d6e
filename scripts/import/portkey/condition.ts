import { isObject } from '../members.ts';

/** Thrown for a part of a query that no condition of a route can express. */
export class NoCondition extends Error {
  override readonly name = 'NoCondition';
}

const mostDepth = 5;

/** The headers that the conditions read: metadata is a header of the request here. */
type HeaderOf = (key: string) => string;

/**
 * A query of Portkey as an expression of CEL. Throws NoCondition with the reason if it cannot be expressed.
 * A header that is missing equals nothing, so each test asks for it first.
 */
export function conditionOf(query: unknown, headerOf: HeaderOf, depth = 0): string {
  if (!isObject(query) || depth > mostDepth) throw new NoCondition('It is no query, or one that is nested too deeply.');
  const parts = Object.entries(query).map(([key, value]) => {
    if (key === '$and' || key === '$or') return joined(key, value, (each) => conditionOf(each, headerOf, depth + 1));
    const tests = isObject(value) ? Object.entries(value) : [['$eq', value] as const];
    return all(tests.map(([operator, operand]) => testOf(subjectOf(key, headerOf), operator, operand)));
  });
  if (parts.length === 0) throw new NoCondition('It is empty.');
  return all(parts);
}

const all = (parts: readonly string[]): string =>
  parts.length === 1 ? parts[0]! : parts.map((part) => `(${part})`).join(' && ');

function joined(key: '$and' | '$or', value: unknown, partOf: (each: unknown) => string): string {
  if (!Array.isArray(value) || value.length === 0) throw new NoCondition(`${key} is no list.`);
  const parts = value.map(partOf);
  return key === '$and' ? all(parts) : parts.map((part) => `(${part})`).join(' || ');
}

type Subject = { kind: 'text'; expression: string; exists?: string } | { kind: 'flag'; expression: string };

function subjectOf(key: string, headerOf: HeaderOf): Subject {
  const [scope, name, ...rest] = key.split('.');
  if (scope === 'metadata' && name === '_user') return endUser;
  if (scope === 'metadata' && name && rest.length === 0) {
    const header = JSON.stringify(headerOf(name));
    return { kind: 'text', expression: `request.headers[${header}]`, exists: `${header} in request.headers` };
  }
  if (key === 'params.user') return endUser;
  if (key === 'params.stream') return { kind: 'flag', expression: 'request.stream' };
  throw new NoCondition(`Conditions cannot see this part of a request.`);
}

const endUser: Subject = { kind: 'text', expression: 'request.end_user' };

const comparisons: Readonly<Record<string, string>> = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' };

function testOf(subject: Subject, operator: string, operand: unknown): string {
  if (subject.kind === 'flag') return flagTest(subject.expression, operator, operand);
  const { expression, exists } = subject;
  const guarded = (test: string): string => (exists === undefined ? test : `${exists} && ${test}`);
  if (operator === '$eq') return guarded(`${expression} == ${literal(operand)}`);
  if (operator === '$ne') return `!(${guarded(`${expression} == ${literal(operand)}`)})`;
  if (operator === '$in') return guarded(`${expression} in ${listOf(operand)}`);
  if (operator === '$nin') return `!(${guarded(`${expression} in ${listOf(operand)}`)})`;
  if (operator === '$regex') return guarded(patternTest(expression, operand));
  const sign = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined;
  if (sign === undefined) throw new NoCondition('The importer does not know its operator.');
  const number = Number(operand);
  if (!Number.isFinite(number)) throw new NoCondition('It compares with something that is no number.');
  return guarded(`double(${expression}) ${sign} double(${number})`);
}

function flagTest(expression: string, operator: string, operand: unknown): string {
  if (typeof operand !== 'boolean' || !['$eq', '$ne'].includes(operator))
    throw new NoCondition('It compares a flag with a text.');
  return (operator === '$eq') === operand ? expression : `!${expression}`;
}

function literal(value: unknown): string {
  if (typeof value !== 'string')
    throw new NoCondition('Metadata is text here, and it compares it with something else.');
  return JSON.stringify(value);
}

function listOf(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) throw new NoCondition('It is no list of texts.');
  return `[${value.map(literal).join(', ')}]`;
}

/** Conditions have no patterns, but most of them only ask how a text begins or ends. */
function patternTest(expression: string, pattern: unknown): string {
  const [, begin, words = '', end] = /^(\^?)\(?([\w |/@.\\-]+?)\)?(\$?)$/.exec(String(pattern)) ?? [];
  const plain = words.split('|').map((word) => word.replaceAll(/\\([.\\/@-])/g, '$1'));
  const isPlain =
    words !== '' &&
    !/(?:^|[^\\])\.|\\[^.\\/@-]/.test(words) &&
    (plain.length === 1 || begin === end || String(pattern).includes('('));
  if (!isPlain) throw new NoCondition('Conditions have no patterns.');
  const test = (word: string): string => {
    const text = JSON.stringify(word);
    if (begin && end) return `${expression} == ${text}`;
    if (begin) return `${expression}.startsWith(${text})`;
    return end ? `${expression}.endsWith(${text})` : `${expression}.contains(${text})`;
  };
  const tests = plain.map(test);
  return tests.length === 1 ? tests[0]! : `(${tests.join(' || ')})`;
}
