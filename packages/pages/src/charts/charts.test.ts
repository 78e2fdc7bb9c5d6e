import { expect, test } from 'vitest';
import { render } from '../html.ts';
import { countUnit, dollarUnit, timeUnit } from '../unit.ts';
import { type Chart, seriesClass } from './chart.ts';
import { barChart, lineChart } from './chart-panel.ts';

const chart: Chart = {
  title: 'Requests',
  unit: countUnit,
  slotTitle: 'Day (UTC)',
  series: [{ title: 'a & b' }, { title: 'c' }, { title: 'All others', rest: true }],
  slots: [
    { label: 'Nov 1', title: '2026-11-01', href: '/one', values: [30, 10, 0], hrefs: ['/one?of=a', '/one?of=c'] },
    { label: 'Nov 2', title: '2026-11-02', href: '/two', values: [0, 0, 100] },
  ],
  empty: 'None.',
  table: { href: '/chart?table=requests', isShown: true },
};

const text = (page: string): string => page.replaceAll(/\s+/g, ' ').replaceAll(/> | </g, (part) => part.trim());

/** The attributes of the bars, without those of the places where nothing is. */
const barsIn = (page: string): string[][] =>
  [
    ...page.matchAll(
      /<rect\s+class="(series-[\w]+)"\s+x="([\d.]+)%"\s+y="([\d.]+)"\s+width="[\d.]+%"\s+height="([\d.]+)"/g,
    ),
  ].map(([, ...values]) => values);

test('bars are stacked from the axis, in the height that their value has on it', () => {
  // The axis ends at 100, so a hundred is 172 high, and the chart 180.
  expect(barsIn(render(barChart(chart)))).toEqual([
    ['series-1', '11.11', '128.4', '51.6'],
    ['series-2', '11.11', '111.2', '17.2'],
    ['series-rest', '55.56', '8', '172'],
  ]);
});

test('a bar leads to what it is made of, without a stop of the tab key', () => {
  const page = render(barChart(chart));
  expect([...page.matchAll(/<a\s+href="([^"]+)" tabindex="-1"/g)].map(([, href]) => href)).toEqual([
    '/one',
    '/one?of=a',
    '/one?of=c',
    '/two',
    '/two',
  ]);
  expect(page).toContain('<title>2026-11-01, a &amp; b: 30</title>');
});

test('the table behind a chart has the same numbers and links, and the sum of each slot', () => {
  const table = text(render(barChart(chart)).split('</ul>')[1] ?? '');
  expect([...table.matchAll(/<th [^>]*>([^<]*)</g)].map(([, title]) => title)).toEqual([
    'Day (UTC)',
    'a &amp; b',
    'c',
    'All others',
    'Total',
  ]);
  expect([...table.matchAll(/<td [^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell)).toEqual([
    '<a href="/one">2026-11-01</a>',
    '<a href="/one?of=a">30</a>',
    '<a href="/one?of=c">10</a>',
    '–',
    '40',
    '<a href="/two">2026-11-02</a>',
    '–',
    '–',
    '100',
    '100',
  ]);
});

test('without links of parts, the bars of a series are one mark, and a slot is one link', () => {
  const slots = chart.slots.map(({ label, title, href, values }) => ({ label, title, href, values }));
  const page = render(barChart({ ...chart, slots }));
  expect([...page.matchAll(/<path class="([\w-]+)" d="([^"]*)"/g)].map(([, ...values]) => values)).toEqual([
    ['series-1', 'M11.11 128.4h33.33v51.6h-33.33z'],
    ['series-2', 'M11.11 111.2h33.33v17.2h-33.33z'],
    ['series-rest', 'M55.56 8h33.33v172h-33.33z'],
  ]);
  expect([...page.matchAll(/<a\s+href="([^"]+)" tabindex="-1"/g)].map(([, href]) => href)).toEqual(['/one', '/two']);
  expect(page).toContain('<title>2026-11-01: 40\na &amp; b: 30\nc: 10</title>');
});

test('the table is left out until it is asked for', () => {
  const page = render(barChart({ ...chart, table: { ...chart.table, isShown: false } }));
  expect(page).not.toContain('<table');
  expect(page).toContain('href="/chart?table=requests#requests"');
});

test('a line has a gap where nothing was measured', () => {
  const values = [100, undefined, 300, 250];
  const slots = values.map((value, at) => ({ label: `${at}`, title: `${at}`, values: [value] }));
  const page = render(lineChart({ ...chart, unit: timeUnit, series: [{ title: 'p50' }], slots }));
  expect(page.match(/ d="([^"]+)"/)?.[1]?.match(/M/g)).toHaveLength(2);
  expect(page).toContain('Highest: 300 ms');
});

test('a chart without values says so and draws nothing', () => {
  const slots = chart.slots.map((slot) => ({ ...slot, values: [0, undefined, 0] }));
  for (const draw of [barChart, lineChart]) {
    const page = render(draw({ ...chart, slots }));
    expect(page).toContain('None.');
    expect(page).not.toContain('<svg');
  }
});

test('an axis of counts names no fractions', () => {
  const slots = [{ label: '', title: '', values: [1] }];
  const one = { ...chart, series: [{ title: 'a' }], slots };
  const ticks = (page: string) => [...page.matchAll(/<text x="100%"[^>]*>([^<]+)</g)].map(([, tick]) => tick);
  expect(ticks(render(barChart(one)))).toEqual(['0', '1']);
  expect(ticks(render(barChart({ ...one, unit: dollarUnit })))).toEqual(['$0', '$0.2', '$0.4', '$0.6', '$0.8', '$1']);
});

test('an axis names at most six slots', () => {
  for (const [count, names] of [
    [6, 6],
    [7, 4],
    [30, 6],
    [90, 6],
  ] as const) {
    const slots = Array.from({ length: count }, (_, at) => ({ label: `day ${at}`, title: '', values: [1] }));
    const page = render(barChart({ ...chart, series: [{ title: 'a' }], slots }));
    expect([count, page.match(/>\s*day \d+\s*</g)?.length]).toEqual([count, names]);
  }
});

test('six series have colours of their own, and the rest has its own', () => {
  const classes = Array.from({ length: 7 }, (_, at) => seriesClass({ title: '' }, at));
  expect([new Set(classes).size, classes[6]]).toEqual([6, classes[0]]);
  expect(seriesClass({ title: '', rest: true }, 0)).toBe('series-rest');
});
