import { type Html, html, type HtmlContent } from '@tallyport/pages';

/** What it means if a number grows. */
export type Growth = 'better' | 'worse' | 'neutral';

interface Compared {
  now: number;
  /** In the period before. */
  before: number;
  growth: Growth;
}

/** The change of a number as a share of the one before; `Infinity` for one that is new. */
export function changeOf({ now, before }: Pick<Compared, 'now' | 'before'>): number {
  if (before === 0) return now === 0 ? 0 : Number.POSITIVE_INFINITY;
  return now / before - 1;
}

/** For example `▲ +12 %`, in the colour of better or worse, with an addition such as `from 1,204`. */
export function changeText(compared: Compared, addition?: HtmlContent): Html {
  const { now, before, growth } = compared;
  if (before === 0) return html`${now === 0 ? '–' : 'new'}`;
  const percent = Math.round(changeOf(compared) * 100);
  if (percent === 0) return html`unchanged`;
  const verdict = growth === 'neutral' ? undefined : percent > 0 === (growth === 'better') ? 'better' : 'worse';
  return html`<span class="change ${percent > 0 ? 'up' : 'down'} ${verdict ?? ''}">${shareText(percent)}</span
    >${addition}${verdict && html`<span class="unseen">, ${verdict}</span>`}`;
}

function shareText(percent: number): string {
  if (percent >= 1_000) return `×${Math.round(percent / 100) + 1}`;
  return percent > 0 ? `+${percent} %` : `−${-percent} %`;
}
