import { type Html, html } from '../html.ts';
import { type Chart, seriesClass, type Slot } from './chart.ts';
import { linked } from './linked.ts';
import { type Plot, plotHeight, rounded } from './plot.ts';

/** One mark for each series, in percentages of the width. `look` is the class of all of them. */
export const seriesPaths = (
  { series }: Pick<Chart, 'series'>,
  look: 'lines' | 'series-bars',
  pathOf: (index: number) => string,
): Html =>
  html`<svg
    class="${look}"
    width="100%"
    height="${plotHeight}"
    viewBox="0 0 100 ${plotHeight}"
    preserveAspectRatio="none"
  >
    ${series.map((one, index) => html`<path class="${seriesClass(one, index)}" d="${pathOf(index)}" />`)}
  </svg>`;

/** The place of a slot from the axis to the top. Each of the texts is a line of its tooltip. */
export const slotSpace = (slot: Slot, texts: readonly string[], { plot, at }: { plot: Plot; at: number }): Html =>
  linked(
    slot.href,
    html`<rect
      class="slot"
      x="${rounded(plot.middle(at) - plot.slotWidth / 2)}%"
      width="${rounded(plot.slotWidth)}%"
      height="${plotHeight}"
      ><title>${texts.join('\n')}</title></rect
    >`,
  );
