import type { ChatRequest, GenerateContentRequest, GeminiFunction } from '@tallyport/wire';
import { type OfferedTool, readTools, type ToolUse } from '../conversation/tools.ts';
import { type Members, members } from '../read.ts';
import type { GeminiRules } from './models.ts';
import { currentSchema, subsetSchema } from './schema-dialects.ts';

type GeminiTools = Pick<GenerateContentRequest, 'tools' | 'toolConfig'>;

/** The client's tools, or the vendor's search if requested: models accept only one of them. */
export function geminiTools(request: ChatRequest, rules: GeminiRules): GeminiTools {
  const { tools, use } = readTools(request);
  if (tools.length === 0 || (use?.kind === 'none' && !withTools(request, rules)))
    return request.web_search_options ? { tools: [{ googleSearch: {} }] } : {};
  const config = use && callingConfig(use, rules);
  return {
    tools: [{ functionDeclarations: tools.map((tool) => toDeclaration(tool, rules)) }],
    ...(config && { toolConfig: { functionCallingConfig: config } }),
  };
}

/** Tools with tool_choice none are left out if another member of the request excludes tools. */
const withTools = ({ response_format: format, web_search_options: search }: ChatRequest, rules: GeminiRules): boolean =>
  !search && (rules.toolsWithJson || (format?.type ?? 'text') === 'text');

function toDeclaration(
  { name, description, parameters = {} }: OfferedTool,
  { jsonSchemas }: GeminiRules,
): GeminiFunction {
  const schema = jsonSchemas
    ? { parametersJsonSchema: currentSchema(parameters) }
    : { parameters: subsetSchema(parameters) };
  return {
    name,
    ...(description !== undefined && { description }),
    // A tool without input has no schema.
    ...(hasKeywords(parameters) && schema),
  };
}

const hasKeywords = (parameters: Members): boolean =>
  Object.keys(members(parameters.properties)).length > 0 ||
  ['anyOf', 'oneOf', 'allOf', '$ref'].some((name) => name in parameters);

function callingConfig(
  use: ToolUse,
  { jsonSchemas }: GeminiRules,
): NonNullable<GeminiTools['toolConfig']>['functionCallingConfig'] {
  switch (use.kind) {
    case 'auto':
      return { mode: use.validated && jsonSchemas ? 'VALIDATED' : 'AUTO' };
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
