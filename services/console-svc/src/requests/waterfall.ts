import type { RequestRecord } from '@tallyport/management';
import { type Html, html } from '@tallyport/pages';
import { hasFailed } from './attempts-view.ts';
import { duration, words } from './words.ts';

type Timed = Pick<RequestRecord, 'attempts' | 'durationMs' | 'firstByteMs' | 'planMs'>;

/** A part of the request's time, in milliseconds from its start. */
interface Span {
  look: 'plan' | 'failed' | 'wait' | 'content';
  from: number;
  to: number;
}

interface WaterfallRow {
  name: string;
  text: string;
  spans: readonly Span[];
}

/** The width of the drawing. It is scaled to the page. */
const width = 1_000;
const height = 22;
/** So that a short attempt can be seen. */
const leastWidth = 4;

/** The attempts as bars on one axis of time. The table of attempts has the same figures for those who cannot see it. */
export function waterfall(request: Timed): Html {
  const rows = rowsOf(request);
  const total = Math.max(1, request.durationMs, ...rows.flatMap(({ spans }) => spans.map(({ to }) => to)));
  return html`<figure class="waterfall" role="img" aria-label="${summaryOf(request)}">
    ${rows.map(
      ({ name, text, spans }) =>
        html`<div class="lane">
          <span class="name">${name}</span>
          <svg aria-hidden="true" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">
            <rect class="track" width="${width}" height="${height}" />
            ${spans.map((span) => bar(span, total))}
          </svg>
          <span class="text">${text}</span>
        </div>`,
    )}
    <div class="lane scale">
      <span class="ticks">${ticks.map((share) => html`<span>${duration(total * share)}</span>`)}</span>
    </div>
    <div class="legend small quiet">
      ${legend
        .filter(([look]) => rows.some(({ spans }) => spans.some((span) => span.look === look)))
        .map(([look, text]) => html`<span class="${look}">${text}</span>`)}
    </div>
  </figure>`;
}

const ticks = [0, 0.25, 0.5, 0.75, 1] as const;

const legend: readonly (readonly [Span['look'], string])[] = [
  ['plan', 'reading and planning'],
  ['failed', 'failed attempt'],
  ['wait', 'until the first content'],
  ['content', 'content'],
];

function bar({ look, from, to }: Span, total: number): Html {
  const length = Math.max(leastWidth, ((to - from) / total) * width);
  const x = Math.min((from / total) * width, width - length);
  return html`<rect class="${look}" x="${x.toFixed(1)}" width="${length.toFixed(1)}" height="${height}" />`;
}

/** The time of attempts begins when the request has been planned. */
export function rowsOf({ attempts, planMs = 0, firstByteMs }: Timed): WaterfallRow[] {
  const plan: WaterfallRow[] =
    planMs === 0 ? [] : [{ name: 'Gateway', text: duration(planMs), spans: [{ look: 'plan', from: 0, to: planMs }] }];
  const firstContent = firstByteMs === undefined ? undefined : planMs + firstByteMs;
  let end = planMs;
  const rows = attempts.map((attempt, at): WaterfallRow => {
    // Older records lack the start of an attempt: it follows the one before.
    const from = attempt.startMs === undefined ? end : planMs + attempt.startMs;
    end = from + attempt.durationMs;
    const name = `${at + 1}. ${attempt.provider}`;
    const failed = hasFailed(attempt);
    const text = `${duration(attempt.durationMs)}, ${failed ? words(attempt.error) : (attempt.status ?? 'answered')}`;
    return { name, text, spans: failed ? [{ look: 'failed', from, to: end }] : answered(from, end, firstContent) };
  });
  return [...plan, ...rows];
}

/** The first content divides the attempt that answered. */
function answered(from: number, to: number, firstContent: number | undefined): Span[] {
  if (firstContent === undefined || firstContent <= from || firstContent >= to) return [{ look: 'content', from, to }];
  return [
    { look: 'wait', from, to: firstContent },
    { look: 'content', from: firstContent, to },
  ];
}

function summaryOf({ attempts, durationMs }: Timed): string {
  const parts = attempts.map(
    (attempt) =>
      `${attempt.provider} ${hasFailed(attempt) ? `failed after ${duration(attempt.durationMs)} (${words(attempt.error)})` : `answered in ${duration(attempt.durationMs)}`}`,
  );
  return `${duration(durationMs)} in all: ${parts.join(', then ')}.`;
}
