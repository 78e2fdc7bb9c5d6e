import { parseAst } from 'vitest/node';

/** A node of a syntax tree in ESTree's form, with the members its type has. */
export interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [member: string]: unknown;
}

/** The syntax tree of a TypeScript file, from the parser that the tests run on. TypeScript 7 has no API for it. */
export function syntaxOf(text: string): SyntaxNode {
  const program: unknown = parseAst(text, { lang: 'ts' });
  if (!isNode(program)) throw new Error('The parser returned no syntax tree.');
  return program;
}

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

export const nodesIn = (value: unknown): SyntaxNode[] => (Array.isArray(value) ? value.filter(isNode) : []);

export const childrenOf = (node: SyntaxNode): SyntaxNode[] =>
  Object.values(node).flatMap((value) => (isNode(value) ? [value] : nodesIn(value)));

/** `warn` of `warn`, of `log.warn` and of `this.log.warn`. */
export function nameOf(node: unknown): string {
  if (!isNode(node)) return '';
  if (node.type === 'MemberExpression') return nameOf(node['property']);
  if (node.type === 'Literal') return String(node['value']);
  return typeof node['name'] === 'string' ? node['name'] : '';
}

/** Every text an expression can be: both sides of a choice, a sum as one text, `${…}` where a value is put in. */
export function textsOf(node: unknown): string[] {
  if (!isNode(node)) return [];
  switch (node.type) {
    case 'Literal':
      return typeof node['value'] === 'string' ? [node['value']] : [];
    case 'TemplateLiteral':
      return [templateText(node)];
    case 'BinaryExpression':
      return [[node['left'], node['right']].map((side) => textsOf(side)[0] ?? '${…}').join('')];
    case 'ConditionalExpression':
      return [node['consequent'], node['alternate']].flatMap(textsOf);
    case 'LogicalExpression':
      return [node['left'], node['right']].flatMap(textsOf);
    case 'ArrowFunctionExpression':
      return textsOf(node['body']);
    default:
      return [];
  }
}

function templateText(template: SyntaxNode): string {
  const pieces = nodesIn(template['quasis']).map(({ value }) =>
    typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : '',
  );
  const values = nodesIn(template['expressions']).map((value) => `\${${nameOf(value) || '…'}}`);
  return pieces.map((piece, index) => piece + (values[index] ?? '')).join('');
}
