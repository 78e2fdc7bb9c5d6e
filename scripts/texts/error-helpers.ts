import { childrenOf, isNode, nameOf, nodesIn, type SyntaxNode } from './syntax.ts';

/** Functions of a file that make an error out of a text given to them, such as `(path, why) => new GatewayError(…, why)`. */
export function errorHelpersOf(program: SyntaxNode): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: SyntaxNode): void => {
    const made = node.type === 'VariableDeclarator' ? node['init'] : node;
    const name = nameOf(node['id']);
    if (name !== '' && isNode(made) && makesErrorOfParameter(made)) names.add(name);
    for (const child of childrenOf(node)) visit(child);
  };
  visit(program);
  return names;
}

function makesErrorOfParameter(node: SyntaxNode): boolean {
  const parameters = new Set(nodesIn(node['params']).map(nameOf));
  const uses = (part: SyntaxNode): boolean =>
    (part.type === 'Identifier' && parameters.has(nameOf(part))) || childrenOf(part).some(uses);
  const makes = (part: SyntaxNode): boolean =>
    (part.type === 'NewExpression' && nameOf(part['callee']).endsWith('Error') && uses(part)) ||
    childrenOf(part).some(makes);
  return parameters.size > 0 && makes(node);
}
