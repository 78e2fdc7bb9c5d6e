import type { VendorDialect } from '../spec/provider.ts';
import { anthropicFormat } from './anthropic-format.ts';
import { bedrockFormat } from './bedrock-format.ts';
import { googleFormat } from './google-format.ts';
import { openaiFormat } from './openai-format.ts';
import type { VendorFormat } from './vendor-format.ts';

export const vendorFormats: Readonly<Record<VendorDialect, VendorFormat>> = {
  anthropic: anthropicFormat,
  bedrock: bedrockFormat,
  google: googleFormat,
  openai: openaiFormat,
};
