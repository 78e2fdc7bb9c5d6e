import { expect, test } from 'vitest';
import { readYaml, YamlError } from './read-yaml.ts';

const text = `accounts:
  default:
    keys:
      search:
        budget: { amount: "5" }
    list:
      - one
      - two
`;

test.each<[PropertyKey[], number]>([
  [[], 1],
  [['accounts', 'default', 'keys', 'search'], 4],
  [['accounts', 'default', 'keys', 'search', 'budget', 'amount'], 5],
  [['accounts', 'default', 'list', 1], 8],
  [['accounts', 'default', 'missing'], 2],
])('the member %j is in line %i', (path, line) => {
  expect(readYaml(text).lineOf(path)).toBe(line);
});

test('reads JSON, and an empty text as null', () => {
  expect(readYaml('{"a": [1]}').value).toEqual({ a: [1] });
  expect(readYaml('').value).toBe(null);
});

test.each([
  ['a: [1', 1],
  ['a: 1\na: 2', 2],
  ['a: 1\nb: "x\\0"', 2],
  ['a: 1\n"b\\0": x', 2],
  ['{"a": ["\\u0000"]}', 1],
])('%j throws with its line', (faulty, line) => {
  expect(() => readYaml(faulty)).toThrow(expect.objectContaining({ name: YamlError.name, line }));
});

test('aliases are resolved a hundred times at most', () => {
  const aliased = (count: number) => `a: &a x\nb: [${Array.from({ length: count }, () => '*a').join(', ')}]`;
  expect(readYaml(aliased(99)).value).toMatchObject({ a: 'x' });
  expect(() =>
    readYaml(`a: &a [x]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\nc: [${'*b, '.repeat(10)}*b]`),
  ).toThrow('its aliases cannot be resolved');
});
