import type { Dialect } from '../provider.ts';
import type { Answer } from './answer.ts';
import { anthropicFormat } from './anthropic-format.ts';
import { bedrockFormat } from './bedrock-format.ts';
import { openaiFormat } from './openai-format.ts';

/** How vendors of a dialect write what a test means. Written from the facts, never with the adapter's own code. */
export interface VendorFormat {
  json(answer: Answer): unknown;
  /** The frames of the stream, each as its bytes on the wire; the last one is the vendor's last word. */
  stream(answer: Answer): Buffer[];
  error(code: string, message: string): unknown;
  /** A frame that tells of a fault in the middle of a stream. */
  errorFrame(message: string): Buffer;
}

export const vendorFormats: Readonly<Record<Dialect, VendorFormat>> = {
  anthropic: anthropicFormat,
  bedrock: bedrockFormat,
  openai: openaiFormat,
};
