import type { Row } from '@tallyport/database';

/** Consecutive lines of an input, which one replica runs at a time. */
export interface InputPart {
  start: number;
  end: number;
  firstLine: number;
  lastLine: number;
  lines: number;
}

export const inputPartOf = (row: Row<'batch_parts'>): InputPart => ({
  start: Number(row.start_byte),
  end: Number(row.end_byte),
  firstLine: row.first_line,
  lastLine: row.last_line,
  lines: row.lines,
});
