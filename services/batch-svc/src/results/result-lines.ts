import type { StoredBatch } from '../batches/stored-batches.ts';
import { withoutLineEnds } from '../lines/line-ends.ts';

/** A line that has its answer, or its refusal. */
export interface AnsweredLine {
  line: number;
  customId: string;
  outcome: 'completed' | 'failed';
  status: number;
  requestId: string;
  body: Buffer;
}

/** A line of the input that has ended: with the body of an answer, or without having run. */
export type EndedLine = AnsweredLine | { line: number; customId: string; outcome: 'expired' | 'cancelled' };

/** A line of a file of results. The body of the answer is as it was sent. */
export const resultLineOf = (batch: Pick<StoredBatch, 'api' | 'id'>, ended: EndedLine): Buffer =>
  Buffer.concat((batch.api === 'batches' ? openAiLine(batch.id, ended) : messageLine(ended)).map(asBytes));

const asBytes = (piece: string | Buffer): Buffer => (typeof piece === 'string' ? Buffer.from(piece) : piece);

const unrun = {
  expired: {
    code: 'batch_expired',
    message: 'This request could not be executed before the completion window expired.',
  },
  cancelled: { code: 'batch_cancelled', message: 'The batch was cancelled before this request was executed.' },
} as const;

function openAiLine(batchId: string, ended: EndedLine): (string | Buffer)[] {
  const id = `batch_req_${batchId.slice(batchId.indexOf('_') + 1)}_${ended.line}`;
  const front = `{"id":${text(id)},"custom_id":${text(ended.customId)}`;
  if (!('body' in ended)) return [`${front},"response":null,"error":${JSON.stringify(unrun[ended.outcome])}}\n`];
  const response = `{"status_code":${ended.status},"request_id":${text(ended.requestId)}`;
  return [`${front},"response":${response},"body":`, withoutLineEnds(ended.body), '},"error":null}\n'];
}

function messageLine(ended: EndedLine): (string | Buffer)[] {
  const front = `{"custom_id":${text(ended.customId)},"result":`;
  if (!('body' in ended)) return [`${front}{"type":"${ended.outcome === 'cancelled' ? 'canceled' : 'expired'}"}}\n`];
  const result = ended.outcome === 'completed' ? '{"type":"succeeded","message":' : '{"type":"errored","error":';
  return [front + result, withoutLineEnds(ended.body), '}}\n'];
}

const text = (value: string): string => JSON.stringify(value);
