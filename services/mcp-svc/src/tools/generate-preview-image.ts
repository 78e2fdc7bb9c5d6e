import { z } from 'zod';
import type { Gateway } from '../gateway.ts';
import { checkFileName, defaultFileName } from '../preview/file-name.ts';
import { sizesOf } from '../preview/image-sizes.ts';
import type { Previews } from '../preview/previews.ts';
import { readImages } from './image-answer.ts';
import { type ContentBlock, defineTool, generating, type Tool } from '../tool.ts';

/** Exactly these shapes. What the usual model makes is a little larger, and not exactly of its shape. */
const sizes = { '1:1': '1024x1024', '16:9': '1344x756', '4:3': '1152x864', '5:4': '1120x896' } as const;

const input = z.strictObject({
  prompt: z.string().min(1).describe('What the image shows.'),
  filename: z
    .string()
    .optional()
    .describe('A plain file name, without a folder. The extension is adapted to the image type.'),
  aspect_ratio: z.enum(['1:1', '16:9', '4:3', '5:4']).optional().describe('Width to height.'),
});

interface PreviewImageOptions {
  model: string;
  /** Saves and shrinks images. */
  previews: Previews;
  now(): Date;
}

export const generatePreviewImageTool = (gateway: Gateway, { model, previews, now }: PreviewImageOptions): Tool =>
  defineTool({
    name: 'generate-preview-image',
    title: 'Generate a preview image',
    description: `Generates one image with ${model} and shows it inline, small enough for a conversation. Takes up to a minute and costs what list-image-models shows.${previews.saves ? ' The full image is saved on the server.' : ''}`,
    scope: 'mcp:tools',
    annotations: generating,
    input,
    async call({ prompt, filename = defaultFileName(now()), aspect_ratio: ratio }, context) {
      // Check the name before anything is paid for.
      checkFileName(filename);
      const body = { prompt, model, n: 1, ...(ratio && { size: sizes[ratio] }) };
      const made = readImages(await gateway.generateImage(body, context), model);
      const image = made.images[0]!;
      const [saved, preview] = await Promise.all([
        previews.save({ accountId: context.caller.principal.accountId, fileName: filename, image }),
        previews.shrink(image),
      ]);
      const by = `1 image by ${made.model}${await sizesOf([image])}.`;
      const shown: ContentBlock[] = preview === undefined ? [] : [preview];
      const remark = preview === undefined ? ' It is too large to be displayed.' : '';
      switch (saved.outcome) {
        case 'not_wanted':
          return { content: [...shown, { type: 'text', text: by + remark }] };
        case 'saved':
          return { content: [...shown, { type: 'text', text: `${by} Saved as ${saved.path}.${remark}` }] };
        case 'failed':
          return { content: [...shown, { type: 'text', text: `${by} ${saved.reason}${remark}` }], isError: true };
      }
    },
  });
