import { type Html, html, table } from '@tallyport/pages';

/** The parts of Markdown that the document uses: paragraphs, tables, `code` and **bold**. */
export const prose = (text: string): Html[] => text.split(/\n{2,}/).map(blockOf);

function blockOf(block: string): Html {
  const lines = block.split('\n');
  if (!lines.every((line) => line.startsWith('|'))) return html`<p>${inline(block)}</p>`;
  const [titles = [], , ...rows] = lines.map(cellsOf);
  return table({ caption: titles.join(', '), columns: titles, rows: rows.map((row) => row.map(inline)), empty: '' });
}

const cellsOf = (line: string): string[] =>
  line
    .replaceAll(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

/** The text of one line. */
export const inline = (text: string): Html[] => text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map(spanOf);

function spanOf(span: string): Html {
  if (/^`.+`$/s.test(span)) return html`<code>${span.slice(1, -1)}</code>`;
  return span.startsWith('**') ? html`<strong>${span.slice(2, -2)}</strong>` : html`${span}`;
}

/** Ends at a full stop before a space, if there is one. */
export const firstSentence = (text: string): string => text.split(/(?<=\.) /, 1)[0] ?? '';
