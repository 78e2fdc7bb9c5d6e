import { alibabaColumns } from './alibaba.ts';
import { bytedanceColumns } from './bytedance.ts';
import { googleColumns } from './google.ts';
import { openaiColumns } from './openai.ts';
import { otherColumns } from './others.ts';
import type { ImageColumn } from './column.ts';

/** Every model whose requests differ from the others'. */
export const imageColumns: readonly ImageColumn[] = [
  ...alibabaColumns,
  ...bytedanceColumns,
  ...googleColumns,
  ...openaiColumns,
  ...otherColumns,
];
