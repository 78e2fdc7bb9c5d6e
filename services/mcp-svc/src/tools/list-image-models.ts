import { z } from 'zod';
import type { Gateway } from '../gateway.ts';
import { callableModels } from './callable-models.ts';
import { imageModelsOf } from './image-models.ts';
import type { ModelRecord } from './model-list.ts';
import { defineTool, readOnly, type Tool } from '../tool.ts';

export const listImageModelsTool = (gateway: Gateway, defaultModel: string): Tool =>
  defineTool({
    name: 'list-image-models',
    title: 'List image models',
    description:
      'Lists the models that generate-image can use, with their prices, as Markdown. The first one is its default. Free of charge.',
    scope: 'mcp:models',
    annotations: readOnly,
    input: z.strictObject({}),
    async call(_input, context) {
      const models = await callableModels(gateway, {}, context);
      const sections = imageModelsOf(models, defaultModel).map(sectionOf);
      const text = [
        '# Image Generation Models',
        ...(sections.length > 0 ? sections : ['None can be called: no provider of an image model has a key.']),
      ];
      return { content: [{ type: 'text', text: text.join('\n\n') }] };
    },
  });

const sectionOf = ({ id, name, description, pricing }: ModelRecord): string =>
  [
    `## ${name}`,
    `- **Model ID:** \`${id}\``,
    `- **Description:** ${description}`,
    `- **Price per request:** ${priceOf(pricing)}`,
  ].join('\n');

/** Image models have a price per image. If the provider bills only tokens, the token price is shown. */
function priceOf({ request, image, image_output: imageOutput, completion }: Record<string, string>): string {
  const perImage = [request, image].find(isBilled);
  if (perImage !== undefined) return `$${perImage}`;
  const perToken = [imageOutput, completion].find(isBilled);
  if (perToken !== undefined) return `$${perToken} per token`;
  return [request, image, completion].some((price) => Number(price ?? 0) < 0) ? 'unknown' : 'free';
}

const isBilled = (price: string | undefined): boolean => Number(price ?? 0) > 0;
