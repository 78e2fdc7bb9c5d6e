import { z } from 'zod';

const piecesSchema = z.object({ run: z.string(), length: z.number(), checksum: z.number() });

const recordSchema = z.object({
  /** The replica that has the run, by a name of its own for each time; empty while the run waits for one. */
  holder: z.string(),
  id: z.string(),
  accountId: z.string(),
  /** The project of its key, `null` for none. */
  project: z.string().nullable(),
  /** The name of its form. */
  api: z.string(),
  /** The guardrails for answers of its key: events are shown to callers with the same ones. */
  answerRules: z.string(),
  /** Unix milliseconds. */
  createdAt: z.number(),
  state: z.enum(['queued', 'running', 'ended']),
  /** How often it was begun. */
  begun: z.number(),
  /** A provider may have had the request. */
  called: z.boolean(),
  /** Clients may have seen a part of its answer. */
  shown: z.boolean(),
  /** What it used was charged. */
  charged: z.boolean(),
  /** Some events are missing: there were too many, or the store was unavailable. */
  isLogLost: z.boolean(),
  /** Its request, and what clients see until it ends. */
  request: piecesSchema,
  /** Where the bytes of its request are counted in the quota of its account. */
  quotaSlot: z.number(),
  /** How it ended, unless its answer is stored. */
  ending: piecesSchema.optional(),
});

/** What all replicas know of a request that is answered in the background. */
export type RunRecord = z.infer<typeof recordSchema>;

/** Encodes a record, which begins with the `holderMark`. */
export const encodeRun = ({ holder, ...rest }: RunRecord): Buffer => Buffer.from(JSON.stringify({ holder, ...rest }));

/** The beginning that the records of one holder share, and no others. */
export const holderMark = ({ holder }: Pick<RunRecord, 'holder'>): Buffer =>
  Buffer.from(`${JSON.stringify({ holder }).slice(0, -1)},`);

/** Takes the place of a run that was deleted, so that the replica that has it cannot write it again. */
export const deletedRun = Buffer.from('deleted');

/** `undefined` for anything that is not a record. */
export function decodeRun(bytes: Uint8Array): RunRecord | undefined {
  try {
    return recordSchema.safeParse(JSON.parse(Buffer.from(bytes).toString())).data;
  } catch {
    return undefined;
  }
}
