import type { BatchedCall } from '@tallyport/contracts';
import type { Row } from '@tallyport/database';

/** A batch at a vendor, with lines of one part. */
export interface BatchAtVendor extends Omit<BatchedCall, 'body'> {
  /** Its name at the vendor; the ids of its lines there begin with it. */
  id: string;
  lines: readonly number[];
  /**
   * `opening`: the vendor may not have it. `waiting`: it does not have it, and is asked again. `over`: its answers are stored, and
   * lines without one run here.
   */
  state: Row<'vendor_batches'>['state'];
  /** The vendor's id, once it is known. */
  vendorId: string | null;
  openedAt: Date;
  /** When it was first seen to be over: what it answered is recorded at this time, however often. */
  answeredAt: Date | null;
  ageMs: number;
  /** How often the vendor was asked to open it. */
  tries: number;
  /** For how long it waits until it is opened again. */
  waitMs: number;
}

export const lineIdOf = ({ id }: Pick<BatchAtVendor, 'id'>, line: number): string => `${id}-${line}`;

/** The lines of the batch by their ids at the vendor. */
export const linesById = (batch: BatchAtVendor): ReadonlyMap<string, number> =>
  new Map(batch.lines.map((line) => [lineIdOf(batch, line), line]));
