import { expect, test } from 'vitest';
import { dataFileSchema } from '../data-file.ts';
import { gatherIngredients } from '../ingredients.ts';
import { applyLayer } from '../layers/apply-layer.ts';
import { LayerError } from '../layers/layer.ts';
import { FileError } from '@tallyport/wire/yaml';
import { parseOperatorFile } from './read-operator-file.ts';

const parse = (...lines: string[]) => parseOperatorFile('/etc/tallyport.yaml', lines.join('\n'));

/** Reads the text and applies it to an empty catalogue. */
function refusalOf(...lines: string[]): string {
  try {
    const { layer, refusal } = parse(...lines);
    try {
      applyLayer(gatherIngredients([dataFileSchema.parse({ family: 'none', models: [] })]), layer, new Set(['alpha']));
    } catch (error) {
      throw error instanceof LayerError ? refusal(error) : error;
    }
  } catch (error) {
    if (error instanceof FileError) return error.message;
    throw error;
  }
  return '';
}

test('reads all sections', () => {
  const { layer } = parse(
    'providers:',
    '  own: &own',
    '    baseUrl: https://own.example/v1',
    '    quirks:',
    '      request: { rename: { max_tokens: max_completion_tokens } }',
    'models:',
    '  m: # what we host',
    '    offers: { own: { model: big, pricing: { prompt: "0.0000010" } } }',
    'routes:',
    '  fast:',
    '    targets: [{ model: m, weight: 90 }, { model: gpt-5.5, weight: 10 }]',
    '    then: [gpt-5.4]',
  );
  expect(layer).toEqual({
    providers: {
      own: {
        baseUrl: 'https://own.example/v1',
        quirks: { request: { rename: { max_tokens: 'max_completion_tokens' } } },
      },
    },
    models: { m: { offers: { own: { model: 'big', pricing: { prompt: '0.0000010' } } } } },
    routes: {
      fast: {
        targets: [
          { model: 'm', weight: 90 },
          { model: 'gpt-5.5', weight: 10 },
        ],
        then: ['gpt-5.4'],
        when: [],
        onContentFilter: 'stop',
      },
    },
  });
});

test.each([[''], ['# nothing yet'], ['models:'], ['{}']])('%j is empty', (text) => {
  expect(parse(text).layer).toEqual({ providers: {}, models: {}, routes: {} });
});

test.each<[string, string[], string]>([
  [
    'a price as a number',
    ['models:', '  m:', '    offers:', '      alpha:', '        model: m', '        pricing:', '          prompt: 0.1'],
    '7: models.m.offers.alpha.pricing.prompt: must be USD as decimal text in quotes, such as "0.0000025".',
  ],
  ['a misspelt member', ['', 'models:', '  m:', '    naem: x'], '4: models.m.naem: is not a known member.'],
  [
    'a member that is missing',
    ['models:', '  a: { offers: { alpha: { model: a } } }', '  m:', '    name: x'],
    '3: models.m.offers: Too small: expected array to have >=1 items.',
  ],
  [
    'an unknown provider',
    ['models:', '  m:', '    offers:', '      alpha: { model: a }', '      gamma: { model: m }'],
    '5: models.m.offers.gamma: there is no provider gamma. Add it under providers with a baseUrl.',
  ],
  [
    'an element of a list',
    ['models:', '  m:', '    features:', '      - streaming', '      - flying'],
    expect.stringMatching(/^5: models\.m\.features\.1: Invalid option/),
  ],
  [
    'a misspelt member of a route',
    ['routes:', '  fast:', '    targets:', '      - { model: m, wieght: 2 }'],
    '4: routes.fast.targets.0.wieght: is not a known member.',
  ],
  [
    'a wrong name of a route',
    ['routes:', '  my fast: { targets: [{ model: m }] }'],
    '2: routes.my fast: must be 1 to 64 letters, digits, dots, hyphens and underscores.',
  ],
  [
    'a condition of a route that is wrong',
    ['routes:', '  fast:', '    targets: [{ model: m }]', '    when:', "      - { if: '1 +', use: [m] }"],
    expect.stringMatching(/^5: routes\.fast\.when\.0\.if: /),
  ],
  ['no YAML', ['models:', '  m: [1, 2'], expect.stringMatching(/^2: /)],
  ['a key twice', ['models:', '  m: null', '  m: null'], '3: Map keys must be unique.'],
  ['a list', ['- models'], expect.stringMatching(/^1: the file: Invalid input/)],
  ['a text', ['models'], expect.stringMatching(/^1: the file: Invalid input/)],
])('%s is reported with its line', (_name, lines, problem) => {
  const [first = ''] = refusalOf(...lines).split('\n');
  expect(first.startsWith('/etc/tallyport.yaml:')).toBe(true);
  expect(first.slice('/etc/tallyport.yaml:'.length)).toEqual(problem);
});

test('reports up to ten problems at once', () => {
  const lines = Array.from({ length: 12 }, (_, at) => `  m${at}: { odd: 1 }`);
  expect(refusalOf('models:', ...lines).split('\n').length).toBe(10);
});

test('refuses a file that expands its aliases excessively', () => {
  const lines = Array.from(
    { length: 10 },
    (_, at) => `  x${at + 1}: &x${at + 1} { a: *x${at}, b: *x${at}, c: *x${at} }`,
  );
  expect(() => parse('models:', '  x0: &x0 { name: x }', ...lines)).toThrow(FileError);
});
