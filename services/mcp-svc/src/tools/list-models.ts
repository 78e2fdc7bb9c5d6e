import { ownModalityOf } from '@tallyport/contracts';
import { z } from 'zod';
import type { Gateway } from '../gateway.ts';
import { callableModels } from './callable-models.ts';
import type { ModelRecord } from './model-list.ts';
import { defineTool, readOnly, type Tool } from '../tool.ts';

const input = z.strictObject({
  include_deactivated: z.boolean().default(false).describe('Include models that are no longer served.'),
  exclude_deprecated: z.boolean().default(false).describe('Leave out models with an announced end.'),
  limit: z.int().min(1).max(1000).default(20).describe('The maximum number of models to return.'),
  family: z.string().optional().describe('Only models of this family, for example a value of `family` in the result.'),
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
  total: z.number().describe('Number of models that match the filters. Larger than the list if limit shortened it.'),
});

export const listModelsTool = (gateway: Gateway): Tool =>
  defineTool({
    name: 'list-models',
    title: 'List models',
    description:
      'Lists the models that can be called, with prices and capabilities. Models without a usable provider key are left out. Free of charge.',
    scope: 'mcp:models',
    annotations: readOnly,
    input,
    output,
    async call({ limit, family, ...filters }, context) {
      const data = (await callableModels(gateway, filters, context)).filter((model) => !hasOwnEndpoint(model));
      const wanted = family?.trim().toLowerCase();
      const fitting = wanted === undefined ? data : data.filter((model) => model.family.toLowerCase() === wanted);
      const found = { models: fitting.slice(0, limit).map(entryOf), total: fitting.length };
      return { content: [{ type: 'text', text: JSON.stringify(found) }], structuredContent: found };
    },
  });

/** No tool calls these models. */
const hasOwnEndpoint = ({ architecture }: ModelRecord): boolean =>
  ownModalityOf(architecture.output_modalities) !== undefined;

/** The members that help to choose a model: whole records would fill the context of the calling model. */
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
