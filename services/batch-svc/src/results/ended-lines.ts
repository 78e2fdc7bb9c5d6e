import type { KeyObject } from 'node:crypto';
import type { Database } from '@tallyport/database';
import type { StoredBatch } from '../batches/stored-batches.ts';
import { customIdIn } from '../lines/custom-id.ts';
import { type InputPart, inputPartOf } from '../lines/input-part.ts';
import { linesOfPart, type LineTools } from '../lines/lines-of-part.ts';
import { LostContent } from '../storage/lost-content.ts';
import { linesWithResults } from './lines-with-results.ts';
import type { AnsweredLine, EndedLine } from './result-lines.ts';
import { openResult } from './sealed-result.ts';

interface EndedBatch {
  batch: StoredBatch;
  /** Of the batch. */
  key: KeyObject;
}

/** So many results are in memory. */
const rowsAtOnce = 20;

/** The lines of a batch that have results with one of these outcomes, in their order. */
export async function* endedResults(
  { kysely }: Database,
  { batch, key }: EndedBatch,
  outcomes: readonly AnsweredLine['outcome'][],
): AsyncGenerator<AnsweredLine> {
  let last = 0;
  for (;;) {
    const rows = await kysely
      .selectFrom('batch_lines')
      .selectAll()
      .where('batch_id', '=', batch.id)
      .where('line', '>', last)
      .where('outcome', 'in', outcomes)
      .orderBy('line')
      .limit(rowsAtOnce)
      .execute();
    for (const { line, custom_id: customId, outcome, status, request_id: requestId, result } of rows)
      yield { line, customId, outcome, status, requestId, body: openResult(result, { key, line }) };
    if (rows.length < rowsAtOnce) return;
    last = rows.at(-1)?.line ?? last;
  }
}

interface UnrunLines {
  batch: StoredBatch;
  outcome: 'expired' | 'cancelled';
  /** Called for a part that cannot be read to its end. The next one follows, unless it throws. */
  onLost(error: LostContent): void;
}

/** The lines of a batch that never ran, read from its input. */
export async function* unrunLines(tools: LineTools, unrun: UnrunLines): AsyncGenerator<EndedLine> {
  const parts = await tools.database.kysely
    .selectFrom('batch_parts')
    .selectAll()
    .where('batch_id', '=', unrun.batch.id)
    .where('done', '=', false)
    .orderBy('number')
    .execute();
  for (const part of parts.map(inputPartOf)) {
    try {
      yield* unrunOfPart(tools, unrun, part);
    } catch (error) {
      if (!(error instanceof LostContent)) throw error;
      unrun.onLost(error);
    }
  }
}

async function* unrunOfPart(
  tools: LineTools,
  { batch, outcome }: UnrunLines,
  part: InputPart,
): AsyncGenerator<EndedLine> {
  const ended = await linesWithResults(tools.database.kysely, { ...part, batch });
  for await (const { number, bytes } of linesOfPart(tools, batch, part))
    if (!ended.has(number)) yield { line: number, customId: customIdIn(bytes), outcome };
}
