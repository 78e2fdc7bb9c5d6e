import { crc32 } from 'node:zlib';

export interface Frame {
  headers: Record<string, string>;
  payload: Record<string, unknown>;
}

/** Reads frames and checks both checksums. */
export function framesOf(body: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let start = 0; start < body.length;) {
    const total = body.readUInt32BE(start);
    const bytes = body.subarray(start, start + total);
    checkSum(bytes, 8);
    checkSum(bytes, total - 4);
    const headersEnd = 12 + bytes.readUInt32BE(4);
    frames.push({
      headers: headersOf(bytes.subarray(12, headersEnd)),
      payload: JSON.parse(bytes.subarray(headersEnd, total - 4).toString()),
    });
    start += total;
  }
  return frames;
}

function headersOf(bytes: Buffer): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let at = 0; at < bytes.length;) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    const valueStart = nameEnd + 3;
    const valueEnd = valueStart + bytes.readUInt16BE(nameEnd + 1);
    headers[bytes.subarray(at + 1, nameEnd).toString()] = bytes.subarray(valueStart, valueEnd).toString();
    at = valueEnd;
  }
  return headers;
}

function checkSum(bytes: Buffer, at: number): void {
  if (bytes.readUInt32BE(at) !== crc32(bytes.subarray(0, at))) throw new Error(`The checksum at byte ${at} is wrong.`);
}

interface Block {
  start?: { toolUseId: string; name: string } | undefined;
  text: string;
  input: string;
  thought: string;
  signature: string;
}

interface Delta {
  text?: string;
  toolUse?: { input: string };
  reasoningContent?: { text?: string; signature?: string };
}

interface Payload {
  contentBlockIndex?: number;
  start?: { toolUse?: Block['start'] };
  delta?: Delta;
  stopReason?: string;
  usage?: unknown;
  metrics?: unknown;
}

/** Folds the frames of a Converse stream into the whole answer. */
export function foldedFrames(frames: readonly Frame[]) {
  const blocks: Block[] = [];
  const ending: Payload = {};
  for (const { payload } of frames as readonly { payload: Payload }[]) {
    const { contentBlockIndex: index, start, delta, stopReason, usage, metrics } = payload;
    if (index !== undefined) add((blocks[index] ??= emptyBlock()), start, delta);
    if (stopReason !== undefined) ending.stopReason = stopReason;
    if (usage !== undefined) Object.assign(ending, { usage, metrics });
  }
  return { output: { message: { role: 'assistant', content: blocks.flatMap(contentOf) } }, ...ending };
}

const emptyBlock = (): Block => ({ text: '', input: '', thought: '', signature: '' });

function add(block: Block, start: Payload['start'], { text = '', toolUse, reasoningContent = {} }: Delta = {}): void {
  block.start ??= start?.toolUse;
  block.text += text;
  block.input += toolUse?.input ?? '';
  block.thought += reasoningContent.text ?? '';
  block.signature += reasoningContent.signature ?? '';
}

function contentOf({ start, text, input, thought, signature }: Block): object[] {
  if (start !== undefined) return [{ toolUse: { ...start, input: JSON.parse(input || '{}') } }];
  if (thought !== '') return [{ reasoningContent: { reasoningText: { text: thought, signature } } }];
  return text === '' ? [] : [{ text }];
}
