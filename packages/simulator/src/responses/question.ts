import {
  isObject,
  type JsonObject,
  objectsOf,
  readOpenAiQuestion,
  textOf,
  type ChatQuestion,
} from '@tallyport/sandbox';

/** A declared tool, and what a call of it is. */
export interface CallableTool {
  readonly kind: 'function' | 'custom';
  readonly name: string;
  readonly namespace?: string;
}

/** The last item of the input asks for a compaction of the others. */
export const endsInTrigger = ({ input }: JsonObject): boolean => objectsOf(input).at(-1)?.type === 'compaction_trigger';

/** Reads a Responses request. A model that is asked for an effort reasons before every answer. */
export const readResponsesQuestion = (body: JsonObject): ChatQuestion => ({
  ...readOpenAiQuestion(chatOf(body)),
  includeUsage: true,
  ...(asksForEffort(body) && { reasoning: 'asked' }),
});

const asksForEffort = ({ reasoning }: JsonObject): boolean =>
  isObject(reasoning) && typeof reasoning.effort === 'string' && reasoning.effort !== 'none';

function chatOf(body: JsonObject): JsonObject {
  const { input, instructions, reasoning, text, max_output_tokens: limit, ...rest } = body;
  const { format } = isObject(text) ? text : {};
  return {
    ...rest,
    messages: [
      ...(typeof instructions === 'string' ? [{ role: 'developer', content: instructions }] : []),
      ...(typeof input === 'string' ? [{ role: 'user', content: input }] : objectsOf(input).map(messageOf)),
    ],
    max_completion_tokens: limit,
    reasoning_effort: isObject(reasoning) ? reasoning.effort : undefined,
    response_format: isObject(format) ? { type: format.type, json_schema: { schema: format.schema } } : undefined,
    tools: calledBy(body).map(([name, , parameters]) => ({ function: { name, parameters } })),
    tool_choice: choiceOf(body.tool_choice),
  };
}

function messageOf(item: JsonObject): JsonObject {
  switch (item.type ?? 'message') {
    case 'message':
      return { role: item.role, content: item.content };
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { role: 'tool', content: textOf(item.output) };
    case 'additional_tools':
    case 'configuration_update':
      return { role: 'developer', content: '' };
    default:
      return { role: 'assistant', content: JSON.stringify(item) };
  }
}

function choiceOf(choice: unknown): unknown {
  if (!isObject(choice)) return choice;
  return { function: { name: nameIn(choice.namespace, choice.name) } };
}

/** The callable tools by the names under which the simulated model knows them, with their parameters. */
export function calledBy(body: JsonObject): (readonly [name: string, tool: CallableTool, parameters: unknown])[] {
  const later = objectsOf(body.input).flatMap(({ tools }) => objectsOf(tools));
  return [...objectsOf(body.tools), ...later].flatMap((tool) => declared(tool));
}

function declared(tool: JsonObject, namespace?: string): ReturnType<typeof calledBy> {
  const { type, name, parameters } = tool;
  if (type === 'namespace') return objectsOf(tool.tools).flatMap((child) => declared(child, String(name)));
  if (type !== 'function' && type !== 'custom') return [];
  const callable = { kind: type, name: String(name), ...(namespace !== undefined && { namespace }) } as const;
  return [[nameIn(namespace, name), callable, type === 'function' ? parameters : rawInput]];
}

const rawInput = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] };

const nameIn = (namespace: unknown, name: unknown): string =>
  typeof namespace === 'string' ? `${namespace}__${String(name)}` : String(name);
