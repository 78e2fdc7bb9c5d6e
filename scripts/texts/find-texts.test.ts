import { expect, test } from 'vitest';
import { findTexts } from './find-texts.ts';

const textsIn = (path: string, ...lines: readonly string[]) =>
  findTexts({ path, text: lines.join('\n') }).map(({ group, line, text }) => `${group} ${line}: ${text}`);

test('finds the messages of errors, also where a helper or a schema holds the text', () => {
  expect(
    textsIn(
      'packages/a/src/a.ts',
      "throw new GatewayError('not_found', `There is no µ model ${name}.`);",
      "const refused = (path: string, why: string) => new GatewayError('invalid_parameters', `${path} ${why}`);",
      "throw refused('messages', 'must not be empty');",
      "const schema = z.string().min(1, 'must have a name').refine(isName, { error: 'is no name' });",
      "const code = 'not a message';",
    ),
  ).toEqual([
    'errors 1: There is no µ model ${name}.',
    'errors 2: ${path} ${why}',
    'errors 3: must not be empty',
    'errors 4: must have a name',
    'errors 4: is no name',
  ]);
});

test('finds settings, metrics and log lines', () => {
  expect(
    textsIn(
      'services/a/src/config.ts',
      "const config = { PORT: { schema: port, description: 'Port of the API.' } };",
      "metrics.counter({ name: 'requests_total', help: 'Requests answered.' });",
      "log.warn({ path }, failed ? 'request failed' : 'request');",
      "console.log('not a log line');",
    ),
  ).toEqual([
    'settings 1: Port of the API.',
    'metrics 2: Requests answered.',
    'logs 3: request failed',
    'logs 3: request',
  ]);
});

test('finds descriptions of the API and of tools', () => {
  expect(textsIn('scripts/openapi/chat.ts', "const name = z.string().describe('Name of the model.');")).toEqual([
    'openapi 1: Name of the model.',
  ]);
  expect(textsIn('services/mcp-svc/src/tools/chat.ts', "const tool = { description: 'Sends messages.' };")).toEqual([
    'tools 1: Sends messages.',
  ]);
});

test('finds what commands print, pages show and alerts say', () => {
  expect(textsIn('services/a/src/commands/key.ts', "const usage = 'Usage: key list';")).toEqual([
    'cli 1: Usage: key list',
  ]);
  expect(
    textsIn('services/a/src/pages/b.ts', 'const page = html`<h1 title="Your keys">Keys</h1><p>${text}</p>`;'),
  ).toEqual(['pages 1: Keys', 'pages 1: Your keys']);
  expect(textsIn('a/b.html', '<p>', '  Ask for an image', '</p>')).toEqual(['pages 2: Ask for an image']);
  expect(textsIn('deploy/alerts.yaml', 'annotations:', "  summary: 'Redis is away'")).toEqual([
    'alerts 2: Redis is away',
  ]);
});
