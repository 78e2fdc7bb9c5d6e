import { type RequestHead, requestHeadSchema } from '@tallyport/contracts';
import { z } from 'zod';

/** What a replica needs to make the answer of a run. */
export interface RunRequest {
  head: RequestHead;
  body: Buffer;
  /** What clients see until it ends, as a document of its API. */
  outline: Record<string, unknown>;
}

const frontSchema = z.object({ head: requestHeadSchema, outline: z.record(z.string(), z.unknown()) });

/** A line of JSON, and the body. */
export const encodeRunRequest = ({ body, ...front }: RunRequest): Buffer =>
  Buffer.concat([Buffer.from(`${JSON.stringify(front)}\n`), body]);

/** `undefined` for anything that is not a request. */
export function decodeRunRequest(bytes: Buffer): RunRequest | undefined {
  const lineEnd = bytes.indexOf('\n');
  try {
    const front = frontSchema.safeParse(JSON.parse(bytes.subarray(0, Math.max(0, lineEnd)).toString())).data;
    return front && { ...front, body: bytes.subarray(lineEnd + 1) };
  } catch {
    return undefined;
  }
}
