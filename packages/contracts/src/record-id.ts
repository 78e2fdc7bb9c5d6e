import { hash } from 'node:crypto';
import type { LineOfBatch } from './batch-line.ts';
import { randomHex } from './random-hex.ts';

/** The id of a new usage record. */
export const newRecordId = (): string => `use_${randomHex()}`;

/** What the ledger knows a record by: written again with the same name, it is counted once. */
interface RecordName {
  id: string;
  at: string;
}

const digits = 32;

/**
 * The name of a record of a line that may be written again after a death: of the answer of a vendor's batch, or of its refusal with
 * a code. The id follows from the time as well, so that it never has two. `undefined` for other requests.
 */
export function recordNameOf(line: LineOfBatch | undefined, what: string): RecordName | undefined {
  if (line?.recordAt === undefined) return undefined;
  const { id, line: number, recordAt: at } = line;
  return { id: `use_${hash('sha256', `${id} line ${number} ${what} ${at}`).slice(0, digits)}`, at };
}
