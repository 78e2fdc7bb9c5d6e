import { responseHeadSchema } from '@switchyard/contracts';
import { z } from 'zod';

const recordSchema = z.object({
  fingerprint: z.string(),
  /** Names its pieces: another run's are never taken for them. */
  run: z.string(),
  /** `running` is said again every few seconds by who runs it; `unkept`: too large to be given twice. */
  state: z.enum(['running', 'done', 'unkept']),
  /** Known as soon as the answer begins. */
  head: responseHeadSchema.optional(),
  /** How many can be read. */
  pieces: z.number(),
  /** Of all pieces, once it is done. */
  checksum: z.number().optional(),
});

/** What the store knows of a request with a key. */
export type OnceRecord = z.infer<typeof recordSchema>;

export const encodeRecord = (record: OnceRecord): Buffer => Buffer.from(JSON.stringify(record));

/** `undefined` for what is none. */
export function decodeRecord(bytes: Uint8Array): OnceRecord | undefined {
  try {
    return recordSchema.parse(JSON.parse(Buffer.from(bytes).toString()));
  } catch {
    return undefined;
  }
}
