import type { Gateway } from '../gateway.ts';
import type { Previews } from '../preview/previews.ts';
import { chatTool } from './chat.ts';
import { generateImageTool } from './generate-image.ts';
import { generatePreviewImageTool } from './generate-preview-image.ts';
import { listImageModelsTool } from './list-image-models.ts';
import { listModelsTool } from './list-models.ts';
import type { Tool } from '../tool.ts';

interface ToolSettings {
  imageModel: string;
  previewModel: string;
  previews: Previews;
}

/** All tools, in the order in which clients show them. */
export const allTools = (gateway: Gateway, { imageModel, previewModel, previews }: ToolSettings): readonly Tool[] => [
  chatTool(gateway),
  generateImageTool(gateway, imageModel),
  generatePreviewImageTool(gateway, { model: previewModel, previews, now: () => new Date() }),
  listModelsTool(gateway),
  listImageModelsTool(gateway, imageModel),
];
