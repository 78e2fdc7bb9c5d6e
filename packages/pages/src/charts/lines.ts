import { line } from 'd3-shape';
import { type Html, html } from '../html.ts';
import { type Chart, type ChartSeries, seriesClass, type Slot } from './chart.ts';
import { linked } from './linked.ts';
import { type Plot, plotHeight, rounded } from './plot.ts';
import type { Unit } from '../unit.ts';

/** A line per series, with gaps where nothing was measured. */
export const lines = ({ series, slots, unit }: Chart, plot: Plot): Html =>
  html`<svg
      class="lines"
      width="100%"
      height="${plotHeight}"
      viewBox="0 0 100 ${plotHeight}"
      preserveAspectRatio="none"
    >
      ${series.map((one, index) => html`<path class="${seriesClass(one, index)}" d="${pathOf(slots, index, plot)}" />`)}
    </svg>
    ${slots.map((slot, at) =>
      linked(
        slot.href,
        html`<rect
          class="slot"
          x="${rounded(plot.middle(at) - plot.slotWidth / 2)}%"
          width="${rounded(plot.slotWidth)}%"
          height="${plotHeight}"
          ><title>${slot.title}${series.map((one, index) => valueText(one, slot.values[index], unit))}</title></rect
        >`,
      ),
    )}`;

const valueText = ({ title }: ChartSeries, value: number | undefined, unit: Unit): string =>
  value === undefined ? '' : `, ${title}: ${unit.exact(value)}`;

const pathOf = (slots: readonly Slot[], index: number, plot: Plot): string =>
  line<Slot>()
    .defined(({ values }) => values[index] !== undefined)
    .x((_, at) => rounded(plot.middle(at)))
    .y(({ values }) => rounded(plot.y(values[index] ?? 0)))([...slots]) ?? '';
