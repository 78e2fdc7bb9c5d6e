import { stringify } from 'yaml';

/*
 * Marks are strings in a resource that become template expressions. Expressions contain no single quotes, because YAML
 * would double them.
 */

/** The value of an expression, on the same line. */
export const inline = (expression: string): string => `{{ ${expression} }}`;

/** What a named template renders, as YAML. Its first argument is the root. */
export const include = (template: string, ...words: readonly string[]): string =>
  `$include include "${template}" (${['list $', ...words].join(' ')})`;

/** A list or map of the values, as YAML. */
export const block = (expression: string): string => `$block ${expression}`;

/** The same, and nothing at all if it is empty. */
export const optional = (expression: string): string => `$optional ${expression}`;

/** As the last item of a list: the items of a list of the values. */
export const items = (expression: string): string => `$items ${expression}`;

/** An expression in place of a field that exists only under a condition. */
export const when = (condition: string, expression: string): string => `$when ${condition} => ${expression}`;

/** Helm reads YAML 1.1, in which an unquoted `off` is false. */
export const yamlOptions = {
  schema: 'yaml-1.1',
  lineWidth: 0,
  singleQuote: true,
  aliasDuplicateObjects: false,
} as const;

/** The template of a resource with marks. */
export function templateOf(resource: object): string {
  const text = stringify(resource, yamlOptions);
  return text
    .replaceAll(/^( *)- '?\$items ([^'\n]+)'?$/gm, itemLines)
    .replaceAll(/^( *)(- )?(\S+): '?\$optional ([^'\n]+)'?$/gm, optionalLines)
    .replaceAll(/^( *)(- )?(\S+): '?\$block ([^'\n]+)'?$/gm, blockLine)
    .replaceAll(/^( *)(- )?(\S+): '?\$include ([^'\n]+)'?$/gm, includeLine)
    .replaceAll(/^( *)(\S+): '?\$when ([^'\n]+) => ([^'\n]+)'?$/gm, whenLines)
    .replaceAll(/'(\{\{[^'\n]*\}\}[a-z-]*)'/g, '$1');
}

const itemLines = (_: string, indent: string, expression: string): string =>
  `${indent}{{- with ${expression} }}\n${indent}{{- toYaml . | nindent ${indent.length} }}\n${indent}{{- end }}`;

function blockLine(...[, indent = '', dash = '', key, expression = '']: string[]): string {
  const argument = expression.includes(' ') ? `(${expression})` : expression;
  return `${indent}${dash}${key}: {{- toYaml ${argument} | nindent ${indent.length + dash.length + 2} }}`;
}

const includeLine = (...[, indent = '', dash = '', key, expression]: string[]): string =>
  `${indent}${dash}${key}: {{- ${expression} | nindent ${indent.length + dash.length + 2} }}`;

const optionalLines = (...[, indent = '', dash = '', key = '', expression]: string[]): string =>
  `${indent}{{- with ${expression} }}\n${blockLine('', indent, dash, key, '.')}\n${indent}{{- end }}`;

const whenLines = (...[, indent, key, condition, expression]: string[]): string =>
  `${indent}{{- if ${condition} }}\n${indent}${key}: {{ ${expression} }}\n${indent}{{- end }}`;

/** A text of templates that renders only under a condition. */
export const onlyIf = (condition: string, template: string): string =>
  `{{- if ${condition} }}\n${template}{{- end }}\n`;
