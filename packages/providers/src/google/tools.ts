import type { ChatRequest, GenerateContentRequest, GeminiFunction } from '@switchyard/wire';
import { type OfferedTool, readTools, type ToolUse } from '../conversation/tools.ts';
import { members } from '../read.ts';
import type { GeminiRules } from './models.ts';
import { toOpenApiSchema } from './schema.ts';

export type GeminiTools = Pick<GenerateContentRequest, 'tools' | 'toolConfig'>;

/** The client's tools, or the vendor's own search where it is asked for: models take one or the other. */
export function geminiTools(request: ChatRequest, rules: GeminiRules): GeminiTools {
  const { tools, use } = readTools(request);
  if (tools.length === 0) return request.web_search_options ? { tools: [{ googleSearch: {} }] } : {};
  const config = use && callingConfig(use);
  return {
    tools: [{ functionDeclarations: tools.map((tool) => toDeclaration(tool, rules)) }],
    ...(config && { toolConfig: { functionCallingConfig: config } }),
  };
}

function toDeclaration(
  { name, description, parameters = {} }: OfferedTool,
  { jsonSchemas }: GeminiRules,
): GeminiFunction {
  const schema = jsonSchemas ? { parametersJsonSchema: parameters } : { parameters: toOpenApiSchema(parameters) };
  return {
    name,
    ...(description !== undefined && { description }),
    // A tool without input is one without a schema.
    ...(Object.keys(members(parameters.properties)).length > 0 && schema),
  };
}

function callingConfig(use: ToolUse): NonNullable<GeminiTools['toolConfig']>['functionCallingConfig'] {
  switch (use.kind) {
    case 'auto':
      return { mode: 'AUTO' };
    case 'none':
      return { mode: 'NONE' };
    case 'any':
      return { mode: 'ANY' };
    case 'one':
      return { mode: 'ANY', allowedFunctionNames: [use.name] };
    default:
      return use satisfies never;
  }
}
