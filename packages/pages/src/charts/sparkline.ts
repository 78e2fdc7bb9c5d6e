import { scaleLinear } from 'd3-scale';
import { type Html, html } from '../html.ts';
import { rounded } from './plot.ts';

const height = 40;

/** Small bars without axes, beside a number that says what they are. Decoration for assistive technology. */
export function sparkline(values: readonly (number | undefined)[]): Html {
  const y = scaleLinear([0, Math.max(...values.map((value = 0) => value), 0) || 1], [0, height]);
  return html`<svg
    class="sparkline"
    viewBox="0 0 ${values.length * 4} ${height}"
    preserveAspectRatio="none"
    aria-hidden="true"
    focusable="false"
  >
    ${values.map((value = 0, at) => html`<rect class="series-1" x="${at * 4}" y="${rounded(height - y(value))}" width="3" height="${rounded(y(value))}" />`)}
  </svg>`;
}
