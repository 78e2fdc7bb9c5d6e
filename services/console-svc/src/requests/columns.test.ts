import { expect, test } from 'vitest';
import { columnChoices, shownColumns } from './columns.ts';
import { type ListView, viewIn } from './filters.ts';

const view = (columns = ''): ListView => viewIn({ model: 'm', sort: 'cost', columns }, Date.now());
const titles = (columns?: string): string[] => shownColumns(view(columns)).map(({ title }) => title);
const choice = (title: string, columns?: string) => columnChoices('', view(columns)).find(({ text }) => text === title);

test('columns are shown in their own order, the time always, and unknown ones never', () => {
  expect(titles('cost.model.constructor.cost')).toEqual(['Time', 'Model', 'Cost']);
  expect(titles('.')).toEqual(['Time']);
  expect(titles()).toEqual(['Time', 'Outcome', 'Model', 'Provider', 'Key', 'Tokens', 'Cost', 'Duration']);
});

test('a choice shows or hides its column, and the usual columns need no parameter', () => {
  expect(choice('Project', 'time.model')).toEqual({
    text: 'Project',
    chosen: false,
    href: '/requests?model=m&sort=cost&columns=time.model.project',
  });
  const withProject = choice('Project')!.href;
  expect(choice('Project', new URL(withProject, 'http://a').searchParams.get('columns')!)).toEqual({
    text: 'Project',
    chosen: true,
    href: '/requests?model=m&sort=cost',
  });
  expect(choice('Model', 'time.model')!.href).toBe('/requests?model=m&sort=cost&columns=time');
});
