import { type Html, html, type HtmlContent } from '../html.ts';
import { table } from '../parts.ts';
import { bars } from './bars.ts';
import { type Chart, seriesClass, totalOf } from './chart.ts';
import { lines } from './lines.ts';
import { withAxes, type Plot, plotOf } from './plot.ts';

/** Bars that stack the series of a chart. */
export const barChart = (chart: Chart): Html => {
  const highest = Math.max(...chart.slots.map(totalOf), 0);
  const peak = chart.slots.find((slot) => totalOf(slot) === highest);
  const summary = `Highest: ${chart.unit.exact(highest)}, ${peak?.title ?? ''}`;
  return chartPanel({ chart, highest, summary, draw: bars, total: chart.series.length > 1 });
};

/** A line per series of a chart. */
export const lineChart = (chart: Chart): Html => {
  const highest = Math.max(...chart.slots.flatMap(({ values }) => values.map((value = 0) => value)), 0);
  return chartPanel({ chart, highest, summary: `Highest: ${chart.unit.exact(highest)}`, draw: lines, total: false });
};

interface ChartPanel {
  chart: Chart;
  highest: number;
  summary: string;
  draw(chart: Chart, plot: Plot): Html;
  /** Whether the table has the sum of each slot. */
  total: boolean;
}

function chartPanel({ chart, highest, summary, draw, total }: ChartPanel): Html {
  const { title, slots, unit, empty, choice } = chart;
  if (highest === 0)
    return html`<section class="panel padded chart">
      <h2>${title}</h2>
      ${choice}
      <p class="quiet">${empty}</p>
    </section>`;
  const plot = plotOf(chart, highest);
  const id = idOf(chart);
  return html`<section class="panel padded chart" id="${id}">
    <h2>${title}</h2>
    ${choice}
    <p class="quiet small">${summary}</p>
    ${withAxes({ plot, slots, unit, marks: draw(chart, plot) })} ${chart.series.length > 1 && legend(chart)}
    ${
      chart.table.isShown
        ? dataTable(chart, total)
        : html`<p class="small last">
            <a href="${chart.table.href}#${id}" aria-label="Show as a table: ${title}">Show as a table</a>
          </p>`
    }
  </section>`;
}

const idOf = ({ title }: Chart): string => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

const legend = ({ series }: Chart): Html =>
  html`<ul class="legend" aria-hidden="true">
    ${series.map(
      (one, at) =>
        html`<li>
          <svg viewBox="0 0 10 10" focusable="false">
            <rect class="${seriesClass(one, at)}" width="10" height="10" rx="2" /></svg
          >${one.title}
        </li>`,
    )}
  </ul>`;

const dataTable = ({ title, unit, slotTitle, series, slots }: Chart, total: boolean): Html =>
  table({
    caption: title,
    columns: [
      slotTitle,
      ...series.map((one) => ({ title: one.title, kind: 'number' }) as const),
      ...(total ? [{ title: 'Total', kind: 'number' } as const] : []),
    ],
    rows: slots.map((slot) => [
      linkedText(slot.title, slot.href),
      ...slot.values.map((value, at) =>
        value === undefined || value === 0 ? '–' : linkedText(unit.exact(value), slot.hrefs?.[at]),
      ),
      ...(total ? [unit.exact(totalOf(slot))] : []),
    ]),
    empty: '',
  });

const linkedText = (text: string, href: string | undefined): HtmlContent =>
  href === undefined ? text : html`<a href="${href}">${text}</a>`;
