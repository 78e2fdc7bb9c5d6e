import { GatewayError } from '@tallyport/contracts';
import { sql } from '@tallyport/database';
import { readLines } from '@tallyport/wire';
import { beginBatch } from '../batches/begin-batch.ts';
import type { BatchError, StoredBatch } from '../batches/stored-batches.ts';
import { openFile } from '../files/open-file.ts';
import { checkLineOf } from '../lines/check-line.ts';
import { type CheckedInput, createInputCheck } from '../lines/input-check.ts';
import { LostContent } from '../storage/lost-content.ts';
import { inputDamaged } from './end-early.ts';
import { isLasting } from './is-lasting.ts';
import type { WorkTools } from './work-tools.ts';

/** OpenAI's limit. */
const mostLines = 50_000;
const mostErrors = 100;

/** Checks each line of the input. Without an error the lines may run, otherwise the batch has failed. */
export async function checkBatch(tools: WorkTools, batch: StoredBatch): Promise<void> {
  const checked = await checkInput(tools, batch).catch((error: unknown) => errorsOfMissing(batch, error));
  if ('errors' in checked) return fail(tools, batch, checked.errors);
  await tools.database.kysely.transaction().execute((transaction) => beginBatch(transaction, batch.id, checked));
}

async function checkInput(
  tools: WorkTools,
  { endpoint, inputFileId, accountId }: StoredBatch,
): Promise<CheckedInput | { errors: readonly BatchError[] }> {
  const file = await openFile(tools, { id: inputFileId, accountId });
  const check = createInputCheck({ check: checkLineOf(endpoint), mostLines });
  const errors: BatchError[] = [];
  try {
    const bounds = {
      maxBytes: tools.maxLineBytes,
      tooLong: (line: number) => new LineTooLong(line, tools.maxLineBytes),
    };
    for await (const line of readLines(file.read({ start: 0, end: file.bytes }), bounds)) {
      const problem = check.add(line);
      if (problem === undefined) continue;
      errors.push({ ...problem, line: line.number });
      if (errors.length === mostErrors || problem.code === 'too_many_lines') break;
    }
  } catch (thrown) {
    if (!(thrown instanceof LineTooLong)) throw thrown;
    errors.push(thrown.error);
  }
  const checked = check.checked();
  if (checked.total === 0 && errors.length === 0) errors.push(empty);
  return errors.length === 0 ? checked : { errors };
}

async function fail(
  { database, holder }: WorkTools,
  { id }: StoredBatch,
  errors: readonly BatchError[],
): Promise<void> {
  await database.kysely
    .updateTable('batches')
    .set({
      state: 'failed',
      ended_at: sql<Date>`now()`,
      errors: JSON.stringify(errors),
      holder: null,
      lease_until: null,
    })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .where('state', '=', 'validating')
    .execute();
}

/** It was deleted while the batch was created, or is damaged. */
function errorsOfMissing({ createdAt }: StoredBatch, error: unknown): { errors: readonly BatchError[] } {
  if (error instanceof GatewayError && error.code === 'not_found') return { errors: [missing] };
  if (error instanceof LostContent && isLasting(createdAt)) return { errors: [inputDamaged] };
  throw error;
}

class LineTooLong extends Error {
  readonly error: BatchError;

  constructor(line: number, maxBytes: number) {
    super('A line is too long.');
    const message = `This line has more than ${maxBytes} bytes (MAX_BODY_BYTES). No line behind it was checked.`;
    this.error = { code: 'line_too_long', message, line, param: null };
  }
}

const missing: BatchError = {
  code: 'file_not_found',
  message: 'The input file was deleted before it could be read. Store it again.',
  line: null,
  param: 'input_file_id',
};

const empty: BatchError = {
  code: 'empty_file',
  message: 'The input file has no lines. Send a file with a request on each line.',
  line: null,
  param: 'input_file_id',
};
