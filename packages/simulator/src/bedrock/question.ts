import { isObject, objectsOf, type JsonObject, charactersOfMedia, type ChatQuestion } from '@tallyport/sandbox';

/** Reads a Converse request. The model is in its path. */
export function readConverseQuestion(
  body: JsonObject,
  { model, stream }: { model: string; stream: boolean },
): ChatQuestion {
  const messages = objectsOf(body.messages);
  const last = objectsOf(messages.at(-1)?.content);
  const config = isObject(body.inferenceConfig) ? body.inferenceConfig : {};
  const extra = isObject(body.additionalModelRequestFields) ? body.additionalModelRequestFields : {};
  const results = last.map(({ toolResult }) => toolResult).filter(isObject);
  const user = results.length > 0 ? 'tool' : 'user';
  return {
    model,
    stream,
    includeUsage: true,
    n: 1,
    stop: Array.isArray(config.stopSequences) ? config.stopSequences.map(String) : [],
    maxTokens: typeof config.maxTokens === 'number' ? config.maxTokens : Number.POSITIVE_INFINITY,
    tools: callableTools(body.toolConfig),
    parallelToolCalls: !isObject(extra.tool_choice) || extra.tool_choice.disable_parallel_tool_use !== true,
    reasoning: reasoningOf(extra),
    json: wantedJson(body.outputConfig),
    lastRole: messages.at(-1)?.role === 'user' ? user : 'other',
    lastText: textOf(last),
    toolResults: results.map(({ content }) => objectsOf(content).map(resultOf).join('')),
    promptCharacters: countPrompt(body),
  };
}

function callableTools(config: unknown): ChatQuestion['tools'] {
  if (!isObject(config)) return [];
  const choice =
    isObject(config.toolChoice) && isObject(config.toolChoice.tool) ? config.toolChoice.tool.name : undefined;
  return objectsOf(config.tools)
    .map(({ toolSpec }) => toolSpec)
    .filter(isObject)
    .filter(({ name }) => choice === undefined || name === choice)
    .map(({ name, inputSchema }) => ({
      name: String(name),
      parameters: isObject(inputSchema) ? inputSchema.json : undefined,
    }));
}

function reasoningOf({ thinking, reasoning_effort: effort }: JsonObject): ChatQuestion['reasoning'] {
  const type = isObject(thinking) ? thinking.type : undefined;
  return type === 'enabled' || type === 'adaptive' || effort !== undefined ? 'asked' : 'off';
}

/** `outputConfig.textFormat.structure.jsonSchema.schema` contains the schema as a string. */
function wantedJson(output: unknown): ChatQuestion['json'] {
  const found = JSON.stringify(output ?? {}).match(/"schema":("(?:[^"\\]|\\.)*")/)?.[1];
  return found === undefined ? undefined : { schema: JSON.parse(String(JSON.parse(found))) };
}

const textOf = (blocks: readonly JsonObject[]): string =>
  blocks.map(({ text }) => (typeof text === 'string' ? text : '')).join('');

const resultOf = ({ text, json }: JsonObject): string => (typeof text === 'string' ? text : JSON.stringify(json ?? ''));

function countPrompt({ messages, system, toolConfig }: JsonObject): number {
  const blocks = [...objectsOf(messages).flatMap(({ content }) => objectsOf(content)), ...objectsOf(system)];
  const tools = toolConfig === undefined ? 0 : JSON.stringify(toolConfig).length;
  return blocks.reduce((total, block) => total + sizeOf(block), tools);
}

function sizeOf(block: JsonObject): number {
  if (typeof block.text === 'string') return block.text.length;
  return (block.image ?? block.document ?? block.video) ? charactersOfMedia : JSON.stringify(block).length;
}
