import type { KeyObject } from 'node:crypto';
import { type Database, type Queries, sql } from '@tallyport/database';
import { sumOfAmounts } from '../budgets/line-estimates.ts';
import { type HeldPart, lockPart } from './parts.ts';
import type { LineResult } from './run-line.ts';
import { noAnswerTokens, answerTokens } from '../results/answer-usage.ts';
import { readAnsweredBy, withAnswers } from '../batches/answered-by.ts';
import { sealResult } from '../results/sealed-result.ts';

interface ResultTools {
  database: Database;
  part: HeldPart;
  /** The key of the batch. */
  key: KeyObject;
}

/**
 * Stores results of a part and counts them, each line once. Returns `false` if another replica has the part: its results
 * count.
 */
export const storeResults = ({ database, part, key }: ResultTools, results: readonly LineResult[]): Promise<boolean> =>
  database.kysely.transaction().execute(async (transaction) => {
    if (!(await lockPart(transaction, part))) return false;
    const stored = await transaction
      .insertInto('batch_lines')
      .values(
        results.map(({ line, customId, outcome, status, requestId, body }) => ({
          batch_id: part.batch.id,
          line,
          custom_id: customId,
          outcome,
          status,
          request_id: requestId,
          result: sealResult(body, { key, line }),
        })),
      )
      .onConflict((conflict) => conflict.columns(['batch_id', 'line']).doNothing())
      .returning('line')
      .execute();
    const lines = new Set(stored.map(({ line }) => line));
    const released = sumOfAmounts(stored.map(({ line }) => part.amounts.get(line) ?? 0));
    const fresh = results.filter(({ line }) => lines.has(line));
    const counts = countsOf(fresh);
    const answeredBy = await answeredByOf(transaction, part, fresh);
    await sql`update batches set
      completed = completed + ${counts.completed}, failed = failed + ${counts.failed},
      input_tokens = input_tokens + ${counts.input}, cached_tokens = cached_tokens + ${counts.cached},
      output_tokens = output_tokens + ${counts.output}, reasoning_tokens = reasoning_tokens + ${counts.reasoning},
      cost = cost + ${counts.cost}::numeric, answered_by = ${JSON.stringify(answeredBy)}::text::jsonb, reserved = greatest(0, reserved - ${released}::bigint)
      where id = ${part.batch.id}`.execute(transaction);
    return true;
  });

/** Locks the row, so that no other part counts at the same time. */
async function answeredByOf(queries: Queries, { batch }: HeldPart, results: readonly LineResult[]) {
  const { answered_by: known } = await queries
    .selectFrom('batches')
    .select('answered_by')
    .where('id', '=', batch.id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return withAnswers(
    readAnsweredBy(known),
    results.flatMap(({ by, cost }) => (by === undefined ? [] : { ...by, cost })),
  );
}

function countsOf(results: readonly LineResult[]) {
  const counts = { completed: 0, failed: 0, ...noAnswerTokens, cost: 0 };
  for (const { outcome, body, cost } of results) {
    counts[outcome] += 1;
    counts.cost += cost;
    const tokens = outcome === 'completed' ? answerTokens(body) : noAnswerTokens;
    for (const name of ['input', 'cached', 'output', 'reasoning'] as const) counts[name] += tokens[name];
  }
  return counts;
}
