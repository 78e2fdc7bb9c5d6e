import { z } from 'zod';
import type { Gateway } from '../gateway.ts';
import { type ModelRecord, modelListSchema } from './model-list.ts';
import { readAnswer } from './read-answer.ts';
import { defineTool, readOnly, type Tool } from './tool.ts';

export const listImageModelsTool = (gateway: Gateway): Tool =>
  defineTool({
    name: 'list-image-models',
    title: 'List image models',
    description: 'Lists the models generate-image can use, with their prices, as Markdown. Free of charge.',
    scope: 'mcp:models',
    annotations: readOnly,
    input: z.strictObject({}),
    async call(_input, context) {
      const { data } = readAnswer(modelListSchema, await gateway.listModels({}, context));
      const sections = data.filter(makesImages).map(sectionOf);
      const text = ['# Image Generation Models', ...(sections.length > 0 ? sections : ['None can be used here.'])];
      return { content: [{ type: 'text', text: text.join('\n\n') }] };
    },
  });

const makesImages = ({ architecture }: ModelRecord): boolean => architecture.output_modalities.includes('image');

const sectionOf = ({ id, name, description, pricing }: ModelRecord): string =>
  [
    `## ${name}`,
    `- **Model ID:** \`${id}\``,
    `- **Description:** ${description}`,
    `- **Price per request:** ${priceOf(pricing)}`,
  ].join('\n');

/** Image models have a price per image; where a provider bills tokens only, that is told. */
function priceOf({ request, image, completion }: Record<string, string>): string {
  const price = request ?? image;
  if (price !== undefined) return Number(price) === 0 ? 'free' : `$${price}`;
  return completion === undefined ? 'not known' : `by tokens, $${completion} each`;
}
