import { line } from 'd3-shape';
import { type Html, html } from '../html.ts';
import type { Chart, Slot } from './chart.ts';
import { type Plot, rounded } from './plot.ts';
import { seriesPaths, slotSpace } from './slot-marks.ts';

/** A line per series, with gaps where nothing was measured. */
export const lines = (chart: Chart, plot: Plot): Html => {
  const { series, slots, unit } = chart;
  return html`${seriesPaths(chart, 'lines', (index) => pathOf(slots, index, plot))}
  ${slots.map((slot, at) => {
    const values = series.flatMap(({ title }, index) => {
      const value = slot.values[index];
      return value === undefined ? [] : [`${title}: ${unit.exact(value)}`];
    });
    return slotSpace(slot, [slot.title, ...values], { plot, at });
  })}`;
};

const pathOf = (slots: readonly Slot[], index: number, plot: Plot): string =>
  line<Slot>()
    .defined(({ values }) => values[index] !== undefined)
    .x((_, at) => rounded(plot.middle(at)))
    .y(({ values }) => rounded(plot.y(values[index] ?? 0)))([...slots]) ?? '';
