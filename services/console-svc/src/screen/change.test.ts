import { render } from '@tallyport/pages';
import { expect, test } from 'vitest';
import { changeText, type Growth } from './change.ts';

const shown = (now: number, before: number, growth: Growth): string => render(changeText({ now, before, growth }));

test.each([
  [112, 100, '+12 %'],
  [88, 100, '−12 %'],
  [100.4, 100, 'unchanged'],
  [5, 0, 'new'],
  [0, 0, '–'],
  [0, 5, '−100 %'],
  [1_200, 100, '×12'],
])('from %s after %s is %s', (now, before, text) => {
  expect(shown(now, before, 'neutral').replaceAll(/<[^>]+>|\s+$/g, '')).toBe(text);
});

test.each([
  ['better', 2, 'up better'],
  ['better', 0.5, 'down worse'],
  ['worse', 2, 'up worse'],
  ['worse', 0.5, 'down better'],
  ['neutral', 2, 'up '],
] as const)('if growth is %s, %s of 1 is %s, also for those who see no colour', (growth, now, names) => {
  const text = shown(now, 1, growth);
  expect(text).toContain(`class="change ${names}"`);
  expect(/, (better|worse)</.exec(text)?.[1]).toBe(names.split(' ')[1] || undefined);
});
