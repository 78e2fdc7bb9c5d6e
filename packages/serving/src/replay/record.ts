import { responseHeadSchema } from '@tallyport/contracts';
import { z } from 'zod';

const recordSchema = z.object({
  fingerprint: z.string(),
  /** The API key of the first request; absent in records of older versions. */
  keyId: z.string().optional(),
  /** The guardrails for answers of that key (`OnceKey`); absent in records of older versions. */
  answerRules: z.string().optional(),
  /** The project of that key, empty for none; absent in records of older versions. */
  project: z.string().optional(),
  /** Names its pieces, so that pieces of another run are never mixed in. */
  run: z.string(),
  /** `running` is renewed every few seconds by the replica that runs it; `unkept` means too large to be replayed. */
  state: z.enum(['running', 'done', 'unkept']),
  /** Set as soon as the answer begins. */
  head: responseHeadSchema.optional(),
  /** The answer is not made of events with ids, although it may look like it (`ExchangeAnswer`). */
  opaque: z.literal(true).optional(),
  /** The number of pieces that can be read. */
  pieces: z.number(),
  /** Of all pieces; set at the end. */
  checksum: z.number().optional(),
});

/** The store's record of a request with a key. */
export type OnceRecord = z.infer<typeof recordSchema>;

/** Encodes a record, beginning with its `recordMark`. */
export const encodeRecord = ({ run, ...record }: OnceRecord): Buffer => Buffer.from(JSON.stringify({ run, ...record }));

/** The beginning that all records of this run share, and no others. */
export const recordMark = ({ run }: Pick<OnceRecord, 'run'>): Buffer =>
  Buffer.from(JSON.stringify({ run }).slice(0, -1));

/** Whether an answer is sent on while it is made. */
export const isStream = ({ head }: Pick<OnceRecord, 'head'>): boolean =>
  head?.headers['content-type']?.startsWith('text/event-stream') === true;

/** Whether it is a stream of events with ids. */
export const isNumbered = (answer: Pick<OnceRecord, 'head' | 'opaque'>): boolean =>
  answer.opaque !== true && isStream(answer);

/** `undefined` for anything that is not a record. */
export function decodeRecord(bytes: Uint8Array): OnceRecord | undefined {
  try {
    return recordSchema.parse(JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    return undefined;
  }
}
