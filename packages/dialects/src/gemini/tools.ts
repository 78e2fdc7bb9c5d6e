import type { ChatRequest } from '@tallyport/wire';
import { toJsonSchema } from './json-schema.ts';
import type { FunctionDeclarationBody, GenerateContentBody } from './request-schema.ts';

type HubTool = NonNullable<ChatRequest['tools']>[number];
type HubChoice = NonNullable<ChatRequest['tool_choice']>;

type FunctionTools = Pick<ChatRequest, 'tools' | 'tool_choice'>;

export function functionTools({ tools, toolConfig }: GenerateContentBody): FunctionTools {
  const declared = (tools ?? []).flatMap(({ functionDeclarations }) => functionDeclarations ?? []);
  // Without tools there is nothing to choose, and vendors refuse a choice.
  if (declared.length === 0) return {};
  const choice = toChoice(toolConfig?.functionCallingConfig);
  return { tools: declared.map(toHubTool), ...(choice && { tool_choice: choice }) };
}

function toHubTool({ name, description, parameters, parametersJsonSchema }: FunctionDeclarationBody): HubTool {
  const schema = parametersJsonSchema ?? (parameters && (toJsonSchema(parameters) as Record<string, unknown>));
  return {
    type: 'function',
    function: { name, ...(description && { description }), ...(schema && { parameters: schema }) },
  };
}

type CallingConfig = NonNullable<GenerateContentBody['toolConfig']>['functionCallingConfig'];

/** Which of its tools the model may or must call. */
export function toChoice(config: CallingConfig): HubChoice | undefined {
  const names = config?.allowedFunctionNames ?? [];
  const mode = config?.mode ?? 'MODE_UNSPECIFIED';
  switch (mode) {
    case 'MODE_UNSPECIFIED':
      return undefined;
    case 'AUTO':
      return 'auto';
    case 'NONE':
      return 'none';
    case 'VALIDATED':
      return names.length === 0 ? 'validated' : allowed('auto', names);
    case 'ANY':
      return anyOf(names);
    default:
      return mode satisfies never;
  }
}

function anyOf(names: readonly string[]): HubChoice {
  const [only] = names;
  if (only === undefined) return 'required';
  return names.length === 1 ? { type: 'function', function: { name: only } } : allowed('required', names);
}

const allowed = (mode: 'auto' | 'required', names: readonly string[]): HubChoice => ({
  type: 'allowed_tools',
  allowed_tools: { mode, tools: names.map((name) => ({ type: 'function', function: { name } })) },
});
