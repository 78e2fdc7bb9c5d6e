import { scaleBand, scaleLinear } from 'd3-scale';
import { type Html, html } from '../html.ts';
import type { Chart, Slot } from './chart.ts';
import type { Unit } from '../unit.ts';

/** Horizontal places are percentages, so that a chart fills any width and its texts keep their size. */
export interface Plot {
  /** The left edge of a slot's bar. */
  x(at: number): number;
  middle(at: number): number;
  barWidth: number;
  /** The slot with its share of the gap, without a gap to its neighbours. */
  slotWidth: number;
  y(value: number): number;
  /** Values that the axis names. */
  ticks: readonly number[];
}

export const plotHeight = 180;
const topSpace = 8;
const fullHeight = plotHeight + 26;
const mostLabels = 6;

export function plotOf({ slots, unit }: Pick<Chart, 'slots' | 'unit'>, highest: number): Plot {
  const bands = scaleBand<number>(
    slots.map((_, at) => at),
    [0, 100],
  ).padding(slots.length > 45 ? 0.1 : 0.25);
  const values = scaleLinear([0, highest], [plotHeight, topSpace]).nice(4);
  const x = (at: number): number => bands(at) ?? 0;
  return {
    x,
    middle: (at) => x(at) + bands.bandwidth() / 2,
    barWidth: bands.bandwidth(),
    slotWidth: bands.step(),
    y: (value) => values(value),
    ticks: values.ticks(4).filter((tick) => !unit.whole || Number.isInteger(tick)),
  };
}

/** The axes around marks. Assistive technology reads the table behind the chart instead. */
export const withAxes = ({
  plot,
  slots,
  unit,
  marks,
}: {
  plot: Plot;
  slots: readonly Slot[];
  unit: Unit;
  marks: Html;
}): Html =>
  html`<div class="plot">
    <svg class="plot-values" height="${fullHeight}" aria-hidden="true" focusable="false">
      ${plot.ticks.map((tick) => html`<text x="100%" y="${rounded(plot.y(tick) + 4)}">${unit.short(tick)}</text>`)}
    </svg>
    <svg class="plot-marks" height="${fullHeight}" aria-hidden="true" focusable="false">
      ${plot.ticks.map((tick) => html`<line class="grid" x2="100%" y1="${rounded(plot.y(tick))}" y2="${rounded(plot.y(tick))}" />`)}
      ${marks} ${slotLabels(plot, slots)}
    </svg>
  </div>`;

/** Every second label is left out on narrow screens. */
function slotLabels(plot: Plot, slots: readonly Slot[]): Html[] {
  const every = Math.ceil(slots.length / mostLabels);
  const first = Math.floor((every - 1) / 2);
  return slots.flatMap(({ label }, at) => {
    const place = (at - first) / every;
    if (!Number.isInteger(place)) return [];
    return html`<text
      class="${place % 2 === 1 ? 'slot-label wide-only' : 'slot-label'}"
      x="${rounded(plot.middle(at))}%"
      y="${fullHeight - 7}"
      >${label}</text
    >`;
  });
}

/** Two decimals are less than a pixel. */
export const rounded = (place: number): number => Math.round(place * 100) / 100;
