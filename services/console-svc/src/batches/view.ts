import type { Batch, BatchDetail } from '@tallyport/management';
import {
  badge,
  copyable,
  countUnit,
  dollars,
  heading,
  type Html,
  html,
  type HtmlContent,
  moment,
  pager,
  progressBar,
  table,
} from '@tallyport/pages';
import { batchFigures, linesText, shareDone } from './figures.ts';
import { isCancellable, batchState } from './state.ts';

interface BatchesPage {
  base: string;
  batches: readonly Batch[];
  /** Whether it begins with the newest batch. */
  isFirst: boolean;
  nextCursor: string | undefined;
  /** Whether the user sees only some batches of the account. */
  onlyOwn: boolean;
}

export const batchesPage = ({ base, batches, isFirst, nextCursor, onlyOwn }: BatchesPage): Html =>
  html`${heading({
    title: 'Batches',
    text: `Many requests at once, answered within a day. ${onlyOwn ? 'Those of your keys and of your projects, newest first.' : 'All of the account, newest first.'}`,
  })}
  ${table({
    caption: 'Batches',
    columns: [
      'Batch',
      'State',
      'Progress',
      { title: 'Failed', kind: 'number' },
      { title: 'Cost', kind: 'number' },
      'End',
    ],
    rows: batches.map((batch) => batchRow(base, batch)),
    empty: 'There are no batches. POST /v1/batches and POST /v1/messages/batches create them.',
  })}
  ${pager({
    first: isFirst ? undefined : `${base}/batches`,
    next: nextCursor === undefined ? undefined : `${base}/batches?before=${encodeURIComponent(nextCursor)}`,
  })}`;

function batchRow(base: string, batch: Batch): HtmlContent[] {
  const { id, endpoint, lines, cost, createdAt } = batch;
  const { text, tone } = batchState(batch);
  return [
    html`<a class="strong breaking" href="${base}/batches/${id}">${batchTitle(batch)}</a><br /><span
        class="quiet small breaking"
        >${endpoint}<br />${moment(createdAt)}</span
      >`,
    badge(text, tone),
    html`<div class="spent"><span>${linesText(lines)}</span>${progressBar(shareDone(lines))}</div>`,
    countUnit.exact(lines.failed),
    dollars(cost),
    endCell(batch),
  ];
}

/** Of a batch whose input was refused, no model is known. */
export const batchTitle = ({ model }: Pick<Batch, 'model'>): string => model ?? 'Batch';

function endCell({ endedAt, estimatedEndAt }: Batch): Html {
  if (endedAt !== undefined) return moment(endedAt);
  if (estimatedEndAt === undefined) return html`<span class="quiet">not known yet</span>`;
  return html`<span>about ${moment(estimatedEndAt)}</span>`;
}

interface BatchPage {
  base: string;
  batch: BatchDetail;
  account: string;
  keyName: string;
  projectName: string | undefined;
  now: Date;
}

export const batchPage = (page: BatchPage): Html => {
  const { base, batch, keyName, projectName, now } = page;
  return html`${heading({
      title: batchTitle(batch),
      text: html`<code>${batch.endpoint}</code>, created ${moment(batch.createdAt)}`,
      back: { href: `${base}/batches`, text: 'Batches' },
    })}
    <div class="live-heading"><h2>Progress</h2></div>
    ${batchFigures(batch, now)} ${buttons(page)} ${problemsTable(batch)} ${answeredByTable(batch)}
    ${failedLinesTable(batch)}
    <dl class="facts panel padded">
      <dt>Key</dt>
      <dd>${keyName}</dd>
      ${
        projectName !== undefined &&
        html`<dt>Project</dt>
          <dd>${projectName}</dd>`
      }
      <dt>Expires</dt>
      <dd>${moment(batch.expiresAt)}</dd>
    </dl>
    <section class="panel padded ids">${copyable('Batch id', batch.id)}</section>`;
};

const fileTexts = { output: 'Download the results', errors: 'Download the failed lines' } as const;

const buttons = ({ base, batch, account }: BatchPage): Html | false => {
  const links = [
    ...batch.files.map(
      (file) =>
        html`<a class="button plain" href="/api/v1/batches/${batch.id}/files/${file}?account=${account}"
          >${batch.api === 'messages' ? fileTexts.output : fileTexts[file]}</a
        >`,
    ),
    ...(isCancellable(batch)
      ? [html`<a class="button danger" href="${base}/batches/${batch.id}/cancel">Cancel the batch</a>`]
      : []),
  ];
  return links.length > 0 && html`<div class="link-buttons">${links}</div>`;
};

const problemsTable = ({ problems }: BatchDetail): Html | false =>
  problems.length > 0 &&
  html`<h2>Problems</h2>
    ${table({
      caption: 'Problems of the batch',
      columns: ['Line', 'Problem', 'Code'],
      rows: problems.map(({ line, message, code }) => [
        line === undefined ? '' : countUnit.exact(line),
        html`<span class="breaking">${message}</span>`,
        html`<code>${code}</code>`,
      ]),
      empty: '',
    })}`;

const priceTexts = { batch: 'batch of the vendor', standard: 'standard' } as const;

const answeredByTable = ({ answeredBy }: BatchDetail): Html | false =>
  answeredBy.length > 0 &&
  html`<h2>Answered by</h2>
    ${table({
      caption: 'Who has answered lines, at which price',
      columns: [
        'Provider',
        'Price',
        { title: 'Lines', kind: 'number' },
        { title: 'Cost', kind: 'number' },
        { title: 'Saved', kind: 'number' },
      ],
      rows: answeredBy.map(({ provider, price, lines, cost, saved }) => [
        provider,
        priceTexts[price],
        countUnit.exact(lines),
        dollars(cost),
        dollars(saved),
      ]),
      empty: '',
    })}`;

const failedLinesTable = ({ failedLines, lines }: BatchDetail): Html | false =>
  failedLines.length > 0 &&
  html`<h2>Failed lines</h2>
    ${
      lines.failed > failedLines.length &&
      html`<p class="quiet">
        The first ${countUnit.exact(failedLines.length)} of ${countUnit.exact(lines.failed)}. The file of results has
        all of them.
      </p>`
    }
    ${table({
      caption: 'Failed lines',
      columns: ['Custom id', 'Status', 'Reason'],
      rows: failedLines.map(({ customId, status, message }) => [
        html`<span class="strong breaking">${customId}</span>`,
        String(status),
        html`<span class="breaking">${message}</span>`,
      ]),
      empty: '',
    })}`;
