import { anthropicColumns } from './anthropic.ts';
import { bedrockColumns } from './aws-bedrock.ts';
import { azureColumns } from './azure.ts';
import type { Column } from './column.ts';
import { googleColumns } from './google.ts';
import { vertexColumns } from './google-vertex.ts';
import { openAiVendorColumns } from './openai-vendors.ts';

/** Every provider whose requests differ from the others', in alphabetical order. */
export const columns: readonly Column[] = [
  ...anthropicColumns,
  ...bedrockColumns,
  ...azureColumns,
  ...googleColumns,
  ...vertexColumns,
  ...openAiVendorColumns,
];
