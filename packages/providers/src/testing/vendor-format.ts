import type { Dialect } from '../provider.ts';
import type { Answer } from './answer.ts';
import { anthropicFormat } from './anthropic-format.ts';
import { bedrockFormat } from './bedrock-format.ts';
import { googleFormat } from './google-format.ts';
import { openaiFormat } from './openai-format.ts';

/** How vendors of a dialect write what a test means. Written after the vendors' documentation, never with the adapter's own code. */
export interface VendorFormat {
  /** Not false: the last frame of a stream says that it is the last. */
  lastWord?: false;
  json(answer: Answer): unknown;
  /** The frames of the stream, each as its bytes on the wire. */
  stream(answer: Answer): Buffer[];
  /** `undefined` for what the vendor has no error for. */
  error(code: string, message: string): unknown;
  /** A frame that tells of a fault in the middle of a stream. */
  errorFrame(message: string): Buffer;
}

export const vendorFormats: Readonly<Record<Dialect, VendorFormat>> = {
  anthropic: anthropicFormat,
  bedrock: bedrockFormat,
  google: googleFormat,
  openai: openaiFormat,
};
