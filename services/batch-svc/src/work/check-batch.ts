import { GatewayError } from '@tallyport/contracts';
import { sql } from '@tallyport/database';
import { type InputLine, readLines } from '@tallyport/wire';
import { beginBatch } from '../batches/begin-batch.ts';
import type { BatchError, StoredBatch } from '../batches/stored-batches.ts';
import { holdNew } from '../budgets/batch-hold.ts';
import { createLineEstimates, type LineEstimates } from '../budgets/line-estimates.ts';
import { openFile } from '../files/open-file.ts';
import { checkLineOf } from '../lines/check-line.ts';
import { type CheckedInput, createInputCheck, type InputCheck } from '../lines/input-check.ts';
import type { LineProblem } from '../lines/line-problem.ts';
import { LostContent } from '../storage/lost-content.ts';
import { inputDamaged } from './end-early.ts';
import { isLasting } from './is-lasting.ts';
import type { WorkTools } from './work-tools.ts';

/** OpenAI's limit. */
const mostLines = 50_000;
const mostErrors = 100;

/** Checks each line of the input. Without an error the lines may run, otherwise the batch has failed. */
export async function checkBatch(tools: WorkTools, batch: StoredBatch): Promise<void> {
  const { caller } = await tools.callerOfKey({ keyId: batch.keyId });
  const estimated = caller === null ? undefined : { ...batch, principal: caller.principal };
  const estimates = estimated && createLineEstimates((bodies) => tools.budgets.estimate(estimated, bodies));
  const checked = await checkInput(tools, batch, estimates).catch((error: unknown) => errorsOfMissing(batch, error));
  if ('errors' in checked) return fail(tools, batch, checked.errors);
  const amounts = await estimates?.all();
  const refusal = estimated && amounts && (await holdNew(tools, estimated, amounts).catch(errorsOfBudget));
  if (refusal) return fail(tools, batch, refusal.errors);
  const input = { ...checked, ...(amounts && { amounts }) };
  await tools.database.kysely.transaction().execute((transaction) => beginBatch(transaction, batch.id, input));
}

async function checkInput(
  tools: WorkTools,
  { endpoint, inputFileId, accountId }: StoredBatch,
  estimates: LineEstimates | undefined,
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
      const problem = await addLine(line, { check, estimates, errors });
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

interface ReadInput {
  check: InputCheck;
  estimates: LineEstimates | undefined;
  errors: readonly BatchError[];
}

/** Only an input without errors needs an estimate. */
async function addLine(line: InputLine, { check, estimates, errors }: ReadInput): Promise<LineProblem | undefined> {
  const problem = check.add(line);
  if (problem === undefined && errors.length === 0) await estimates?.add(line);
  return problem;
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

function errorsOfBudget(error: unknown): { errors: readonly BatchError[] } {
  if (!(error instanceof GatewayError) || error.code !== 'budget_exceeded') throw error;
  return { errors: [{ code: error.code, message: error.message, line: null, param: null }] };
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
