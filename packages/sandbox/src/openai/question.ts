import { isObject, type JsonObject, objectsOf } from '../json.ts';
import { charactersOfMedia, type ChatQuestion, type QuestionTool } from '../model/question.ts';

export function readOpenAiQuestion(body: JsonObject): ChatQuestion {
  const messages = objectsOf(body.messages);
  const turns = messages.filter(({ role }) => role !== 'system' && role !== 'developer');
  const last = turns.at(-1) ?? {};
  const streamOptions = isObject(body.stream_options) ? body.stream_options : {};
  return {
    model: String(body.model),
    stream: body.stream === true,
    includeUsage: streamOptions.include_usage === true,
    n: typeof body.n === 'number' ? body.n : 1,
    stop: [body.stop].flat().filter((text) => typeof text === 'string' && text !== '') as string[],
    maxTokens: firstNumber(body.max_completion_tokens, body.max_tokens),
    tools: callableTools(body),
    parallelToolCalls: body.parallel_tool_calls !== false,
    reasoning: body.reasoning_effort === 'none' ? 'off' : 'free',
    json: wantedJson(body.response_format),
    lastRole: last.role === 'user' || last.role === 'tool' ? last.role : 'other',
    lastText: textOf(last.content),
    toolResults: trailingToolResults(turns),
    promptCharacters: countPrompt(messages, body.tools),
  };
}

const firstNumber = (...values: unknown[]): number =>
  values.find((value): value is number => typeof value === 'number') ?? Number.POSITIVE_INFINITY;

function callableTools(body: JsonObject): QuestionTool[] {
  if (body.tool_choice === 'none') return [];
  const tools = objectsOf(body.tools)
    .map((tool) => tool.function)
    .filter(isObject)
    .map((declared) => ({ name: String(declared.name), parameters: declared.parameters }));
  const forced = functionName(body.tool_choice);
  return forced === undefined ? tools : tools.filter((tool) => tool.name === forced);
}

export function functionName(choice: unknown): string | undefined {
  const named = isObject(choice) ? choice.function : undefined;
  return isObject(named) && typeof named.name === 'string' ? named.name : undefined;
}

function wantedJson(format: unknown): ChatQuestion['json'] {
  if (!isObject(format) || format.type === 'text') return undefined;
  return { schema: isObject(format.json_schema) ? format.json_schema.schema : undefined };
}

/** The text parts of a message's content. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsOf(content)
    .map((part) => (typeof part.text === 'string' ? part.text : ''))
    .join('');
}

function trailingToolResults(messages: readonly JsonObject[]): string[] {
  const firstResult = messages.findLastIndex((message) => message.role !== 'tool') + 1;
  return messages.slice(firstResult).map((message) => textOf(message.content));
}

function countPrompt(messages: readonly JsonObject[], tools: unknown): number {
  const ofTools = tools === undefined ? 0 : JSON.stringify(tools).length;
  return messages.reduce((total, message) => total + countMessage(message), ofTools);
}

function countMessage(message: JsonObject): number {
  const calls = message.tool_calls === undefined ? 0 : JSON.stringify(message.tool_calls).length;
  const media = objectsOf(message.content).filter((part) => typeof part.text !== 'string').length;
  return textOf(message.content).length + calls + media * charactersOfMedia;
}
