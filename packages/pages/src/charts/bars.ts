import { stack } from 'd3-shape';
import { type Html, html } from '../html.ts';
import { linked } from './linked.ts';
import { type Chart, seriesClass, totalOf } from './chart.ts';
import { type Plot, plotHeight, rounded } from './plot.ts';

/** A stack of the series per slot. */
export function bars(chart: Chart, plot: Plot): Html {
  const { series, slots, unit } = chart;
  const stacked = stack<Chart['slots'][number], number>()
    .keys(series.map((_, at) => at))
    .value(({ values }, at) => values[at] ?? 0)([...slots]);
  return html`${slots.map((slot, at) => {
    const x = rounded(plot.x(at));
    const space = html`<rect
      class="slot"
      x="${rounded(x - (plot.slotWidth - plot.barWidth) / 2)}%"
      width="${rounded(plot.slotWidth)}%"
      height="${plotHeight}"
      ><title>${slot.title}: ${unit.exact(totalOf(slot))}</title></rect
    >`;
    const parts = stacked.map((row, index) => {
      const [from = 0, to = 0] = row[at] ?? [];
      const one = series[index];
      if (to <= from || one === undefined) return undefined;
      const mark = html`<rect
        class="${seriesClass(one, index)}"
        x="${x}%"
        y="${rounded(plot.y(to))}"
        width="${rounded(plot.barWidth)}%"
        height="${rounded(plot.y(from) - plot.y(to))}"
        ><title>${slot.title}, ${one.title}: ${unit.exact(to - from)}</title></rect
      >`;
      return slot.hrefs === undefined ? mark : linked(slot.hrefs[index] ?? slot.href, mark);
    });
    // One link for the whole bar, if its parts have none of their own.
    return slot.hrefs === undefined
      ? linked(slot.href, html`${space}${parts}`)
      : html`${linked(slot.href, space)}${parts}`;
  })}`;
}
