import type { Batch } from '@tallyport/management';
import { badge, countUnit, dollars, type Html, html, moment, progressBar } from '@tallyport/pages';
import { tile } from '../screen/tile.ts';
import { spanText } from './span-text.ts';
import { batchState } from './state.ts';

/** The figures of a batch, which live.js renews while it runs. */
export function batchFigures(batch: Batch, now: Date): Html {
  const { lines, cost, endedAt } = batch;
  const { text, tone } = batchState(batch);
  const ended = lines.completed + lines.failed;
  return html`<dl class="totals" ${endedAt === undefined && html`data-live="figures"`}>
    ${tile('Progress', percentOf(lines), html`${progressBar(shareDone(lines))} ${linesText(lines)} ${badge(text, tone)}`)}
    ${tile('Failed', countUnit.exact(lines.failed), `of ${countUnit.exact(ended)} lines that have ended`)}
    ${tile('Cost', dollars(cost), endedAt === undefined ? 'so far' : 'in all')} ${highestTile(batch)}
    ${endTile(batch, now)}
  </dl>`;
}

/** A batch whose input was refused has no lines. */
export const linesText = ({ total, completed, failed }: Batch['lines']): string =>
  total === 0 ? 'lines not counted' : `${countUnit.exact(completed + failed)} of ${countUnit.exact(total)} lines`;

export const shareDone = ({ total, completed, failed }: Batch['lines']): number =>
  total === 0 ? 0 : (completed + failed) / total;

/** 100 % only when it is. */
const percentOf = (lines: Batch['lines']): string => `${Math.floor(shareDone(lines) * 100)} %`;

/** Before the input was read, it is not known. */
const highestTile = ({ estimatedCost, reserved = '0', endedAt }: Batch): Html | false =>
  estimatedCost !== undefined &&
  tile(
    'At most',
    dollars(estimatedCost),
    endedAt === undefined ? `${dollars(reserved)} reserved for the rest` : 'as reserved at first',
  );

function endTile({ createdAt, estimatedEndAt, endedAt, expiresAt }: Batch, now: Date): Html {
  const title = 'End';
  if (endedAt !== undefined)
    return tile(title, `after ${spanText(Date.parse(endedAt) - Date.parse(createdAt))}`, moment(endedAt));
  if (estimatedEndAt === undefined) return tile(title, '–', html`at the latest ${moment(expiresAt)}`);
  const left = Math.max(0, Date.parse(estimatedEndAt) - now.getTime());
  return tile(title, `in ${spanText(left)}`, html`about ${moment(estimatedEndAt)}`);
}
