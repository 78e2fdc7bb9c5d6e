import { z } from 'zod';
import type { Gateway } from '../gateway.ts';
import { sizesOf } from '../preview/image-sizes.ts';
import { readImages } from './image-answer.ts';
import { defaultImageModel } from './image-models.ts';
import { defineTool, generating, type Tool } from '../tool.ts';

const input = z.strictObject({
  prompt: z.string().min(1).describe('What the image shows.'),
  model: z.string().min(1).optional().describe('A model id from list-image-models. Default: the first one it lists.'),
  size: z
    .string()
    .regex(/^(auto|\d{2,5}x\d{2,5})$/, 'must be WIDTHxHEIGHT, such as 1024x1024')
    .default('1024x1024')
    .describe('WIDTHxHEIGHT, or auto. If the model makes other sizes, the image is cropped and scaled.'),
  n: z.int().min(1).max(4).default(1).describe('Number of images, 1 to 4. Each one is billed.'),
});

export const generateImageTool = (gateway: Gateway, defaultModel: string): Tool =>
  defineTool({
    name: 'generate-image',
    title: 'Generate images',
    description: `Generates images from a prompt. Takes seconds to a minute. Without a model it uses ${defaultModel} if that can be called, otherwise the first model that list-image-models lists. Each image costs the price per request shown there.`,
    scope: 'mcp:tools',
    annotations: generating,
    modelsFrom: 'list-image-models',
    input,
    async call({ prompt, model, size, n }, context) {
      const requested = model ?? (await defaultImageModel(gateway, defaultModel, context));
      const body = { prompt, model: requested, size, n };
      const { images, model: used } = readImages(await gateway.generateImage(body, context), requested);
      const text = `${countOf(images.length, n)} by ${used}${await sizesOf(images)}.`;
      return { content: [...images, { type: 'text', text }] };
    },
  });

/** Providers may return fewer images than requested. */
const countOf = (made: number, wanted: number): string =>
  `${made} ${made === 1 ? 'image' : 'images'}${made < wanted ? ` of ${wanted}` : ''}`;
