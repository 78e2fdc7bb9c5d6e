import { errorHelpersOf } from './error-helpers.ts';
import { textsInMarkup } from './markup-texts.ts';
import { childrenOf, isNode, nameOf, nodesIn, type SyntaxNode, syntaxOf, textsOf } from './syntax.ts';

/** What a text is part of, in the order in which the groups are printed. */
export const textGroups = [
  'errors',
  'settings',
  'metrics',
  'logs',
  'cli',
  'openapi',
  'tools',
  'pages',
  'alerts',
] as const;

type TextGroup = (typeof textGroups)[number];

interface FoundText {
  group: TextGroup;
  line: number;
  text: string;
}

interface SourceFile {
  path: string;
  text: string;
}

/** A text with the node that contains it, before its line is counted. */
interface Candidate {
  group: TextGroup;
  node: SyntaxNode;
  texts: readonly string[];
}

/** The texts that people meet in one file of TypeScript, YAML or HTML, in the order of the file. */
export function findTexts(file: SourceFile): FoundText[] {
  if (file.path.endsWith('.yaml')) return annotationsOf(file.text);
  if (file.path.endsWith('.html')) return linesOfPage(file.text);
  const program = syntaxOf(file.text);
  const helpers = errorHelpersOf(program);
  const found: FoundText[] = [];
  const visit = (node: SyntaxNode): void => {
    const candidate = candidateOf(node, file.path, helpers);
    for (const text of candidate?.texts ?? []) found.push(foundText(file, candidate!, text));
    if (candidate === undefined) for (const child of childrenOf(node)) visit(child);
    else for (const child of childrenOf(node)) visitBelow(child);
  };
  // Below a text only further calls count: its own parts have been read.
  const visitBelow = (node: SyntaxNode): void => {
    if (/^(CallExpression|NewExpression|ObjectExpression|TaggedTemplateExpression)$/.test(node.type)) visit(node);
    else for (const child of childrenOf(node)) visitBelow(child);
  };
  visit(program);
  return found.filter(({ text }) => /\p{L}{2}/u.test(text));
}

function foundText({ text: source }: SourceFile, { group, node }: Candidate, text: string): FoundText {
  return { group, line: lineAt(source, node.start), text: text.trim().replaceAll(/\s+/g, ' ') };
}

const lineAt = (source: string, offset: number): number => source.slice(0, offset).split('\n').length;

function candidateOf(node: SyntaxNode, path: string, helpers: ReadonlySet<string>): Candidate | undefined {
  switch (node.type) {
    case 'NewExpression':
      return errorText(node);
    case 'CallExpression':
      return callText(node, path, helpers);
    case 'Property':
      return propertyText(node, path);
    case 'TaggedTemplateExpression':
      return nameOf(node['tag']) === 'html'
        ? { group: 'pages', node, texts: textsInMarkup(textsOf(node['quasi']).join(' ')) }
        : undefined;
    case 'Literal':
    case 'TemplateLiteral':
      return looseText(node, path);
    default:
      return undefined;
  }
}

/** The message of an error is its first sentence: the code in front of it has no space. */
function errorText(node: SyntaxNode): Candidate | undefined {
  if (!/(Error|Problem)$/.test(nameOf(node['callee']))) return undefined;
  const texts = sentencesOf(nodesIn(node['arguments']).slice(0, 2));
  return texts.length > 0 ? { group: 'errors', node, texts } : undefined;
}

const logLevels = /^(debug|info|warn|error|fatal|throttled)$/;
const schemaChecks = /^(min|max|length|refine|regex|startsWith|addIssue|check)$/;

function callText(node: SyntaxNode, path: string, helpers: ReadonlySet<string>): Candidate | undefined {
  const callee = node['callee'];
  const name = nameOf(callee);
  const parameters = nodesIn(node['arguments']);
  const texts = sentencesOf(parameters);
  const owner = isNode(callee) && callee.type === 'MemberExpression' ? nameOf(callee['object']) : '';
  if (logLevels.test(name) && owner !== 'console' && parameters.length > 0) {
    const last = textsOf(parameters.at(-1));
    return last.length > 0 ? { group: 'logs', node, texts: last } : undefined;
  }
  if (texts.length === 0) return undefined;
  if (name === 'describe') return { group: path.includes('mcp-svc') ? 'tools' : 'openapi', node, texts };
  if (helpers.has(name) || schemaChecks.test(name)) return { group: 'errors', node, texts };
  return undefined;
}

const groupOfProperty: Readonly<Record<string, TextGroup>> = {
  contradiction: 'errors',
  error: 'errors',
  help: 'metrics',
  message: 'errors',
};

function propertyText(node: SyntaxNode, path: string): Candidate | undefined {
  const name = nameOf(node['key']);
  const texts = sentencesOf([node['value']]);
  if (texts.length === 0) return undefined;
  if (name === 'description' || name === 'summary') return { group: descriptionGroup(path), node, texts };
  const group = groupOfProperty[name];
  return group && { group, node, texts };
}

function descriptionGroup(path: string): TextGroup {
  if (path.startsWith('deploy/')) return 'alerts';
  if (path.startsWith('services/mcp-svc/src/tools/')) return 'tools';
  return /(config|address|settings)\.ts$|\/config\//.test(path) ? 'settings' : 'openapi';
}

const commandFiles =
  /^scripts\/(?!openapi\/|texts\/)|\/commands\/|catalog-svc\/src\/catalog\.ts|all-in-one\/src\/(welcome|main)\.ts/;
const pageFiles =
  /^packages\/pages\/src\/|\/src\/(pages|http\/dashboard|http\/pages)\/|^packages\/sandbox\/src\/page\//;

/** Any other sentence in the files of commands and of pages. */
function looseText(node: SyntaxNode, path: string): Candidate | undefined {
  const group = commandFiles.test(path) ? 'cli' : pageFiles.test(path) ? 'pages' : undefined;
  const texts = sentencesOf([node]);
  return group && texts.length > 0 ? { group, node, texts } : undefined;
}

const sentencesOf = (nodes: readonly unknown[]): string[] =>
  nodes.flatMap(textsOf).filter((text) => /\p{L}\S*\s+\S*\p{L}/u.test(text));

/** `summary` and `description` of alerts, one line each. */
function annotationsOf(text: string): FoundText[] {
  return text.split('\n').flatMap((content, index) => {
    const [, annotation] = /^\s*(?:summary|description): ['"]?(.+?)['"]?$/.exec(content) ?? [];
    return annotation === undefined ? [] : [{ group: 'alerts', line: index + 1, text: annotation } as const];
  });
}

const linesOfPage = (text: string): FoundText[] =>
  text
    .split('\n')
    .flatMap((line, index) =>
      textsInMarkup(line).map((found) => ({ group: 'pages' as const, line: index + 1, text: found.trim() })),
    );
