import { expect, test } from 'vitest';
import { findMutations, mutated } from './find-mutations.ts';

const mutationsOf = (text: string) => findMutations({ path: 'a.ts', text }).map((each) => mutated(text, each));

test('turns comparisons and their connections', () => {
  expect(mutationsOf('(a) /* one */ < b && c === d || e != f;').toSorted()).toEqual(
    [
      '(a) /* one */ >= b && c === d || e != f;',
      '(a) /* one */ < b || c === d || e != f;',
      '(a) /* one */ < b && c !== d || e != f;',
      '(a) /* one */ < b && c === d && e != f;',
      '(a) /* one */ < b && c === d || e == f;',
    ].toSorted(),
  );
});

test('flips flags and removes negations, but not one of two', () => {
  expect(mutationsOf('f({ isOn: true }, !x, !!y);')).toEqual([
    'f({ isOn: false }, !x, !!y);',
    'f({ isOn: true }, x, !!y);',
  ]);
});

test('leaves types, texts and comments', () => {
  expect(mutationsOf("interface A { pure?: true; of: Map<string, false> } // a && b\nconst text = 'a && b';")).toEqual(
    [],
  );
});

test('names the line', () => {
  expect(findMutations({ path: 'a.ts', text: 'a;\n\nb > 1;' })).toEqual([
    { path: 'a.ts', line: 3, start: 6, end: 7, text: '<=' },
  ]);
});
