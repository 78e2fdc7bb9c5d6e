import { joinForm } from '@tallyport/wire';
import { finiteNumber, members, text } from '../read.ts';
import type { BatchOrder, VendorBatch, VendorBatchResult, VendorLine } from '../spec/batch-format.ts';
import type { SlicedRequest } from '../spec/upstream-request.ts';
import { posting } from './batch-requests.ts';

/** Longer than a batch takes, and than its results take to be read. */
export const keptSeconds = 3 * 86_400;

/** A line of OpenAI's files. */
export const openAiLine = ({ id, endpoint, body }: VendorLine): string =>
  `{"custom_id":${JSON.stringify(id)},"method":"POST","url":${JSON.stringify(endpoint)},"body":${body}}`;

/** Stores the lines as a file with these fields. */
export function uploadOfLines(
  { name, lines }: Omit<BatchOrder, 'fileId'>,
  fields: Readonly<Record<string, string>>,
): SlicedRequest {
  const boundary = `tallyport-${name}`;
  const form = joinForm(
    [
      ...Object.entries(fields).map(([field, value]) => ({ name: field, content: Buffer.from(value) })),
      {
        name: 'file',
        fileName: `${name}.jsonl`,
        type: 'application/jsonl',
        content: Buffer.from(`${lines.join('\n')}\n`),
      },
    ],
    boundary,
  );
  return posting('/files', form, { 'content-type': `multipart/form-data; boundary=${boundary}` });
}

/** Reads the answer to such an upload. */
export const uploadedFileId = (body: unknown): string | undefined => text(members(body).id);

/** Reads a line of a file of results. */
export function openAiResult(row: unknown): VendorBatchResult | undefined {
  const { custom_id: id, response } = members(row);
  const known = text(id);
  const { status_code: status, body } = members(response);
  return known === undefined
    ? undefined
    : { id: known, body: finiteNumber(status) === 200 ? JSON.stringify(body) : undefined };
}

/** The member of the metadata in which a batch has its name. */
export const nameMember = 'tallyport_batch';

interface BatchWithFile {
  /** The member that names the file of results. */
  readonly output: string;
  /** The states in which it is over. */
  readonly endings: ReadonlySet<string>;
}

/** Reads a batch with metadata, whose results are a file. */
export function batchWithFile(body: unknown, { output, endings }: BatchWithFile): VendorBatch | undefined {
  const { id, metadata, created_at: created, status, [output]: named } = members(body);
  const known = text(id);
  if (known === undefined) return undefined;
  const file = text(named);
  return {
    id: known,
    name: text(members(metadata)[nameMember]),
    createdAtMs: (finiteNumber(created) ?? 0) * 1_000,
    isOver: endings.has(String(status)),
    results: file === undefined ? [] : [file],
  };
}
