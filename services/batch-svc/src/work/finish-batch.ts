import { GatewayError } from '@tallyport/contracts';
import { type Queries, sql } from '@tallyport/database';
import type { BatchError, StoredBatch } from '../batches/stored-batches.ts';
import { readContentKey } from '../files/content-key.ts';
import { dropUpload } from '../files/drop-upload.ts';
import { storeContent } from '../files/store-content.ts';
import { type FileUpload, finishUpload } from '../files/uploads.ts';
import { withUpload } from '../files/with-upload.ts';
import { archivedAfterDays } from '../forms/anthropic-batches.ts';
import { endedResults, unrunLines } from '../results/ended-lines.ts';
import { dropParts } from '../results/shown-failures.ts';
import { type EndedLine, resultLineOf } from '../results/result-lines.ts';
import { inputDamaged } from './end-early.ts';
import { isLasting } from './is-lasting.ts';
import { closeParts } from './parts.ts';
import type { WorkTools } from './work-tools.ts';

/** Of one file of results. */
const writingMs = 60 * 60_000;
const unlimited = { maxBytes: Number.MAX_SAFE_INTEGER, maxFiles: Number.MAX_SAFE_INTEGER };
const jsonLines = 'application/jsonl';
const secondsOfDay = 86_400;
const standardDays = 30;

type WrittenFile = { upload: FileUpload } & Awaited<ReturnType<typeof storeContent>>;

interface WrittenResults {
  output: WrittenFile | undefined;
  error: WrittenFile | undefined;
  /** Of the whole batch. */
  errors: readonly BatchError[];
}

/** Writes the results of a batch whose lines have ended, and ends it. */
export async function finishBatch(tools: WorkTools, batch: StoredBatch): Promise<void> {
  await closeParts(tools.database.kysely, batch.id);
  const written: WrittenFile[] = [];
  try {
    const key = await readContentKey(tools, batch);
    const results = { batch, key };
    const write = (lines: AsyncIterable<EndedLine>, name: string) => writeFile(tools, batch, { lines, name, written });
    let errors = batch.errors;
    const unrun = unrunLines(tools, {
      batch,
      outcome: batch.ending === 'cancelled' ? 'cancelled' : 'expired',
      onLost(error) {
        if (isDamaged(errors)) return;
        if (!isLasting(batch.cancellingAt ?? batch.finalizingAt ?? batch.createdAt)) throw error;
        errors = [...errors, inputDamaged];
      },
    });
    const { database } = tools;
    if (batch.api === 'messages') {
      const all = joined(endedResults(database, results, ['completed', 'failed']), unrun);
      const output = await write(all, 'results');
      await endBatch(tools, batch, { output, error: undefined, errors });
    } else {
      const output = await write(endedResults(database, results, ['completed']), 'output');
      const error = await write(joined(endedResults(database, results, ['failed']), unrun), 'error');
      await endBatch(tools, batch, { output, error, errors });
    }
  } catch (error) {
    for (const { upload } of written) await dropUpload(tools, upload);
    throw error;
  }
  await dropParts(tools.database.kysely, batch.id);
}

const isDamaged = (errors: readonly BatchError[]): boolean => errors.some(({ code }) => code === inputDamaged.code);

async function* joined(...lists: readonly AsyncIterable<EndedLine>[]): AsyncGenerator<EndedLine> {
  for (const list of lists) yield* list;
}

interface FileOfResults {
  lines: AsyncIterable<EndedLine>;
  name: string;
  /** Gets the file. */
  written: WrittenFile[];
}

/** `undefined` without a line. Results are stored beyond the quota as well, because they are paid for. */
async function writeFile(
  tools: WorkTools,
  batch: StoredBatch,
  { lines, name, written }: FileOfResults,
): Promise<WrittenFile | undefined> {
  const pieces = await begun(lines, batch);
  if (pieces === undefined) return undefined;
  const { accountId, projectId, id } = batch;
  const storing = { ...tools, quota: unlimited, maxBytes: unlimited.maxBytes };
  const part = { filename: `${id}_${name}.jsonl`, mediaType: jsonLines, pieces };
  const file = await withUpload(storing, { accountId, projectId, endsInMs: writingMs }, async (upload) => ({
    upload,
    ...(await storeContent(storing, upload, part)),
  }));
  written.push(file);
  return file;
}

/** `undefined` if there is no line. */
async function begun(
  lines: AsyncIterable<EndedLine>,
  batch: StoredBatch,
): Promise<AsyncIterable<Uint8Array> | undefined> {
  const all = lines[Symbol.asyncIterator]();
  const first: IteratorResult<EndedLine> = await all.next();
  return first.done === true ? undefined : linesFrom(first, all, batch);
}

async function* linesFrom(
  first: IteratorResult<EndedLine>,
  others: AsyncIterator<EndedLine>,
  batch: StoredBatch,
): AsyncGenerator<Uint8Array> {
  for (let next = first; next.done !== true; next = await others.next()) yield resultLineOf(batch, next.value);
}

const endBatch = (tools: WorkTools, batch: StoredBatch, results: WrittenResults): Promise<void> =>
  tools.database.kysely.transaction().execute(async (transaction) => {
    const { output, error, errors } = results;
    const { numAffectedRows } = await sql`update batches set state = ending, ended_at = now(),
      output_file_id = ${output?.upload.id ?? null}, error_file_id = ${error?.upload.id ?? null},
      errors = ${errors.length === 0 ? null : JSON.stringify(errors)}
      where id = ${batch.id} and holder = ${tools.holder} and ended_at is null`.execute(transaction);
    if (numAffectedRows === 0n) throw new GatewayError('unavailable', 'Another replica has this batch.');
    for (const file of [output, error]) if (file !== undefined) await showFile(transaction, batch, file);
    await transaction
      .updateTable('files')
      .set({ status: 'deleted', sweep_at: sql<Date>`now()` })
      .where('id', '=', batch.inputFileId)
      .where('status', '=', 'kept')
      .execute();
  });

/** Clients of Anthropic's API read results under the address of their batch. */
function showFile(queries: Queries, batch: StoredBatch, { upload, ...stored }: WrittenFile): Promise<void> {
  const isKept = batch.api === 'messages';
  const days = isKept ? archivedAfterDays : standardDays;
  const expiresInSeconds = batch.outputExpiresSeconds ?? days * secondsOfDay;
  return finishUpload(queries, upload, {
    ...stored,
    purpose: 'batch_output',
    expiresInSeconds,
    ...(isKept && { isKept }),
  });
}
