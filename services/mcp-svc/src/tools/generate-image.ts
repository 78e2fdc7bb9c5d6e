import { z } from 'zod';
import type { Gateway } from '../gateway.ts';
import { readImages } from './image-answer.ts';
import { defineTool, generating, type Tool } from './tool.ts';

const inputFor = (defaultModel: string) =>
  z.strictObject({
    prompt: z.string().min(1).describe('What the image shows.'),
    model: z.string().min(1).default(defaultModel).describe('A model id of list-image-models.'),
    size: z
      .string()
      .regex(/^(auto|\d{2,5}x\d{2,5})$/, 'must be WIDTHxHEIGHT, such as 1024x1024')
      .default('1024x1024')
      .describe('WIDTHxHEIGHT; which sizes there are depends on the model.'),
    n: z.int().min(1).max(4).default(1).describe('How many images, 1 to 4. Each one costs.'),
  });

export const generateImageTool = (gateway: Gateway, defaultModel: string): Tool =>
  defineTool({
    name: 'generate-image',
    title: 'Generate images',
    description:
      'Makes images from a text. Takes seconds to a minute and costs the price per request that list-image-models tells, for each image.',
    scope: 'mcp:tools',
    annotations: generating,
    input: inputFor(defaultModel),
    async call({ prompt, model: requested, size, n }, context) {
      const body = { prompt, model: requested, size, n };
      const { images, model } = readImages(await gateway.generateImage(body, context), requested);
      const count = images.length === 1 ? '1 image' : `${images.length} images`;
      return { content: [...images, { type: 'text', text: `${count} by ${model}, ${size}.` }] };
    },
  });
