import { parseSync, Visitor } from 'oxc-parser';

/** A change of one place of a source: the code from `start` to `end` becomes `text`. */
export interface Mutation {
  path: string;
  line: number;
  start: number;
  end: number;
  text: string;
}

/** Comparisons are turned, and so are their connections. */
const opposites: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
  '&&': '||',
  '||': '&&',
};

interface Operation {
  left: { end: number };
  right: { start: number };
  operator: string;
}

/** Every comparison, `&&`, `||`, negation and flag of a source, and what it becomes. Types have none. */
export function findMutations({ path, text }: { path: string; text: string }): Mutation[] {
  const found: Omit<Mutation, 'path' | 'line'>[] = [];
  const inTypes = new Set<number>();
  const turn = ({ left, right, operator }: Operation) => {
    const opposite = opposites[operator];
    const start = left.end + text.slice(left.end, right.start).indexOf(operator);
    if (opposite !== undefined) found.push({ start, end: start + operator.length, text: opposite });
  };
  new Visitor({
    BinaryExpression: turn,
    LogicalExpression: turn,
    UnaryExpression({ operator, start, argument }) {
      // Two negations are a conversion, of which one would change nothing.
      const isConversion = argument.type === 'UnaryExpression' || text[start - 1] === '!';
      if (operator === '!' && !isConversion) found.push({ start, end: start + 1, text: '' });
    },
    TSLiteralType: ({ literal }) => void inTypes.add(literal.start),
    Literal({ value, start, end }) {
      if (typeof value === 'boolean') found.push({ start, end, text: String(!value) });
    },
  }).visit(parseSync(path, text).program);
  return found
    .filter(({ start }) => !inTypes.has(start))
    .map((mutation) => ({ path, line: text.slice(0, mutation.start).split('\n').length, ...mutation }));
}

export const mutated = (text: string, { start, end, text: changed }: Mutation): string =>
  text.slice(0, start) + changed + text.slice(end);
