import type { Route } from '@tallyport/contracts';
import { expect, test } from 'vitest';
import { routeInput, routeValues } from './route-fields.ts';

const route: Route = {
  description: 'what the bot uses',
  targets: [
    { model: 'gpt-5.4-mini', weight: 90 },
    { model: 'anthropic/claude-haiku-4-5', weight: 0.5 },
  ],
  then: ['gemini-3.5-flash', 'o4'],
  when: [
    { if: "request.tags['if'] == 'x' && request.tokens > 10", use: ['o4', 'gpt-6-luna'] },
    { if: 'request.stream', use: ['o4'] },
  ],
  onContentFilter: 'next',
  shadow: { model: 'claude-sonnet-5', percent: 2.5, project: 'trial' },
};

test('a route is the same after it was shown and posted', () => {
  expect(routeInput(routeValues(route))).toEqual(route);
});

test('what is left empty is left out, and a weight may be', () => {
  const fields = { targets: ' a 5 \nb\n', when: '', then: '', 'shadow.percent': '5', onContentFilter: 'stop' };
  expect(routeInput(fields)).toEqual({
    targets: [{ model: 'a', weight: 5 }, { model: 'b' }],
    when: [],
    onContentFilter: 'stop',
  });
});

test('a condition of several lines is shown in one', () => {
  expect(routeValues({ ...route, when: [{ if: 'a &&\n  b', use: ['o4'] }] })['when']).toBe('o4 if a && b');
});

test.each([
  [{ targets: '' }, 'targets'],
  [{ targets: 'a 5\nb five' }, 'targets[1]'],
  [{ targets: 'a', when: 'o4 when request.stream' }, 'when[0]'],
  [{ targets: 'a', when: 'o4 if x\n\no4 if y' }, 'when[1]'],
  [{ targets: 'a', when: 'if request.stream' }, 'when[0]'],
])('%j is refused at its line', (fields, param) => {
  expect(() => routeInput(fields)).toThrow(expect.objectContaining({ code: 'invalid_parameters', param }));
});
