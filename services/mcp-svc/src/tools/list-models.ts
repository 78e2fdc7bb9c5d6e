import { z } from 'zod';
import type { Gateway } from '../gateway.ts';
import { type ModelRecord, modelListSchema } from './model-list.ts';
import { readAnswer } from './read-answer.ts';
import { defineTool, readOnly, type Tool } from './tool.ts';

const input = z.strictObject({
  include_deactivated: z.boolean().default(false).describe('Also models nobody serves any more.'),
  exclude_deprecated: z.boolean().default(false).describe('Without models whose end is announced.'),
  limit: z.int().min(1).max(1000).default(20).describe('At most so many.'),
  family: z
    .string()
    .optional()
    .describe('Only models of one maker, by its lower-case name as in the family of a model.'),
});

const entrySchema = z.object({
  id: z.string(),
  name: z.string(),
  family: z.string(),
  description: z.string(),
  providers: z.array(z.string()),
  input: z.array(z.string()),
  output: z.array(z.string()),
  context_length: z.number().optional(),
  pricing: z.record(z.string(), z.string()).describe('USD per token, image or request.'),
  stability: z.string(),
  deprecated_at: z.string().optional(),
  deactivated_at: z.string().optional(),
});

const output = z.object({
  models: z.array(entrySchema),
  total: z.number().describe('How many there are; more than in models when limit cut the list.'),
});

export const listModelsTool = (gateway: Gateway): Tool =>
  defineTool({
    name: 'list-models',
    title: 'List models',
    description: 'Lists the models that can be used here, with prices and what they can do. Free of charge.',
    scope: 'mcp:models',
    annotations: readOnly,
    input,
    output,
    async call({ limit, family, ...filters }, context) {
      const { data } = readAnswer(modelListSchema, await gateway.listModels(filters, context));
      const wanted = family?.trim().toLowerCase();
      const fitting = wanted === undefined ? data : data.filter((model) => model.family.toLowerCase() === wanted);
      const found = { models: fitting.slice(0, limit).map(entryOf), total: fitting.length };
      return { content: [{ type: 'text', text: JSON.stringify(found) }], structuredContent: found };
    },
  });

/** What helps to choose: whole records would fill a model's memory. */
const entryOf = (model: ModelRecord): z.input<typeof entrySchema> => ({
  id: model.id,
  name: model.name,
  family: model.family,
  description: model.description,
  providers: model.providers.map(({ providerId }) => providerId),
  input: model.architecture.input_modalities,
  output: model.architecture.output_modalities,
  ...(model.context_length !== undefined && { context_length: model.context_length }),
  pricing: model.pricing,
  stability: model.stability,
  ...(model.deprecated_at !== undefined && { deprecated_at: model.deprecated_at }),
  ...(model.deactivated_at !== undefined && { deactivated_at: model.deactivated_at }),
});
