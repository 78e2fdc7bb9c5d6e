import { stack } from 'd3-shape';
import { type Html, html } from '../html.ts';
import { linked } from './linked.ts';
import { type Chart, seriesClass, type Slot, totalOf } from './chart.ts';
import { type Plot, rounded } from './plot.ts';
import { seriesPaths, slotSpace } from './slot-marks.ts';
import type { Unit } from '../unit.ts';

/** From the bottom of a part of a bar to its top. */
type Range = readonly [from: number, to: number];

/** A stack of the series per slot. */
export function bars(chart: Chart, plot: Plot): Html {
  const { series, slots } = chart;
  const rows = stack<Slot, number>()
    .keys(series.map((_, at) => at))
    .value(({ values }, at) => values[at] ?? 0)([...slots]);
  const stacked = rows.map((row) => slots.map((_, at): Range => [row[at]?.[0] ?? 0, row[at]?.[1] ?? 0]));
  return slots.some(({ hrefs }) => hrefs !== undefined)
    ? barsOfParts(chart, plot, stacked)
    : barsOfSeries(chart, plot, stacked);
}

/** Each part of a bar is a mark with a link of its own. */
const barsOfParts = ({ series, slots, unit }: Chart, plot: Plot, stacked: readonly (readonly Range[])[]): Html =>
  html`${slots.map((slot, at) => {
    const parts = series.map((one, index) => {
      const [from, to] = stacked[index]?.[at] ?? [0, 0];
      if (to <= from) return undefined;
      const mark = html`<rect
        class="${seriesClass(one, index)}"
        x="${rounded(plot.x(at))}%"
        y="${rounded(plot.y(to))}"
        width="${rounded(plot.barWidth)}%"
        height="${rounded(plot.y(from) - plot.y(to))}"
        ><title>${slot.title}, ${one.title}: ${unit.exact(to - from)}</title></rect
      >`;
      return linked(slot.hrefs?.[index] ?? slot.href, mark);
    });
    return html`${slotSpace(slot, [totalText(slot, unit)], { plot, at })}${parts}`;
  })}`;

/** All bars of a series are one mark, because a long chart has hundreds of parts. A slot is one link. */
const barsOfSeries = (chart: Chart, plot: Plot, stacked: readonly (readonly Range[])[]): Html => {
  const { series, slots, unit } = chart;
  const isNamed = series.length > 1 && slots.length <= mostNamedSlots;
  return html`${seriesPaths(chart, 'series-bars', (index) => pathOf(stacked[index] ?? [], plot))}
  ${slots.map((slot, at) => {
    const values = series.flatMap(({ title }, index) => {
      const value = slot.values[index] ?? 0;
      return isNamed && value > 0 ? [`${title}: ${unit.exact(value)}`] : [];
    });
    return slotSpace(slot, [totalText(slot, unit), ...values], { plot, at });
  })}`;
};

const totalText = (slot: Slot, unit: Unit): string => `${slot.title}: ${unit.exact(totalOf(slot))}`;

/** Slots that name each of their values. More of them repeat the names of the series hundreds of times. */
const mostNamedSlots = 48;

const pathOf = (ranges: readonly Range[], plot: Plot): string => {
  const width = rounded(plot.barWidth);
  return ranges
    .map(([from, to], at) => {
      if (to <= from) return '';
      const height = rounded(plot.y(from) - plot.y(to));
      return `M${rounded(plot.x(at))} ${rounded(plot.y(to))}h${width}v${height}h${-width}z`;
    })
    .join('');
};
