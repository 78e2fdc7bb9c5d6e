import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt, Json } from './columns.ts';

/** Postgres returns numbers of 64 bits, and decimals, as text. */
type Large = ColumnType<string | number, number | undefined, number>;

/** Now, until it is set. */
type Since = ColumnType<Date, Date | undefined, Date>;

export interface BatchesTable {
  id: string;
  account_id: string;
  /** Of the key that created it; null for keys outside projects. */
  project_id: string | null;
  key_id: string;
  /** The API of its client, which decides on the form of everything that clients see of it. */
  api: 'batches' | 'messages';
  /** The address of the endpoint that answers its lines. */
  endpoint: string;
  /** The headers of the request that count for each line. */
  headers: Json;
  metadata: Json;
  state: 'validating' | 'failed' | 'in_progress' | 'cancelling' | 'finalizing' | 'completed' | 'expired' | 'cancelled';
  /** What it becomes once its results are written. */
  ending: 'completed' | 'expired' | 'cancelled' | null;
  /** Why it failed, or was cancelled by the gateway: the first errors of its input. */
  errors: Json;
  input_file_id: string;
  output_file_id: string | null;
  error_file_id: string | null;
  output_expires_seconds: number | null;
  /** The model of its first line. */
  model: string | null;
  /** The number of lines, of those that were answered, and of those that were refused. */
  total: Generated<number>;
  completed: Generated<number>;
  failed: Generated<number>;
  input_tokens: Large;
  cached_tokens: Large;
  output_tokens: Large;
  reasoning_tokens: Large;
  /** In USD, of the lines that have ended. */
  cost: ColumnType<string, string | undefined, string>;
  created_at: CreatedAt;
  expires_at: Date;
  in_progress_at: Date | null;
  cancelling_at: Date | null;
  finalizing_at: Date | null;
  ended_at: Date | null;
  /** The replica that checks its input or writes its results, until `lease_until`. */
  holder: string | null;
  lease_until: Date | null;
  /** When a part of it was last taken: batches take turns. */
  claimed_at: Since;
  /** Who has answered its lines, at which price. */
  answered_by: ColumnType<unknown, string | undefined, string>;
  /** What its lines may cost in billionths of a dollar; null if that is not known. */
  estimate: ColumnType<string | null, number | null | undefined, number | null>;
  /** The same of the lines that have not ended. */
  reserved: Large;
  /** When that is held of its budgets again, or released; null if nothing is held. */
  hold_at: Date | null;
}

/** Consecutive lines of the input, which one replica runs at a time. */
export interface BatchPartsTable {
  batch_id: string;
  number: number;
  /** Its place in the input: bytes from `start_byte` up to, but without, `end_byte`. */
  start_byte: Large;
  end_byte: Large;
  /** Counted from 1. Blank lines between them count, too. */
  first_line: number;
  last_line: number;
  lines: number;
  done: Generated<boolean>;
  /** How often it was taken up without any progress. */
  tries: Generated<number>;
  not_before: Since;
  holder: string | null;
  lease_until: Date | null;
  /** What its lines may cost: pairs of a line and billionths of a dollar. */
  estimates: Json;
}

/** The result of a line that has ended. */
export interface BatchLinesTable {
  batch_id: string;
  /** Counted from 1. */
  line: number;
  custom_id: string;
  outcome: 'completed' | 'failed';
  /** The HTTP status of its answer. */
  status: number;
  request_id: string;
  /** The body of its answer, sealed. */
  result: Uint8Array;
}

/** A batch at a vendor, with lines of one part. */
export interface VendorBatchesTable {
  /** Its name at the vendor. */
  id: string;
  batch_id: string;
  part: number;
  provider: string;
  /** The vendor's name. */
  model: string;
  /** Names the vendor's key that opened it. */
  key: string;
  endpoint: string;
  /** The numbers of its lines. */
  lines: Json;
  state: 'opening' | 'waiting' | 'open' | 'over';
  /** The vendor's id; null before it is known. */
  vendor_id: string | null;
  opened_at: Generated<Date>;
  /** When it was first seen to be over; null before. */
  answered_at: Date | null;
  /** How often the vendor was asked to open it. */
  tries: Generated<number>;
  /** When it is opened again, while it waits for that. */
  open_at: Date | null;
}
