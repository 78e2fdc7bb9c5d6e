import { textOf, isObject, objectsOf, type JsonObject, charactersOfMedia, type ChatQuestion } from '@tallyport/sandbox';

/** Reads a Messages request. */
export function readAnthropicQuestion(body: JsonObject): ChatQuestion {
  const messages = objectsOf(body.messages);
  // Claude Code sends instructions behind the user's message.
  const last = messages.findLast(({ role }) => role !== 'system') ?? {};
  const results = objectsOf(last.content).filter(({ type }) => type === 'tool_result');
  const choice = isObject(body.tool_choice) ? body.tool_choice : {};
  const output = isObject(body.output_config) ? body.output_config : {};
  return {
    model: String(body.model),
    stream: body.stream === true,
    includeUsage: true,
    n: 1,
    stop: Array.isArray(body.stop_sequences) ? body.stop_sequences.map(String) : [],
    maxTokens: Number(body.max_tokens),
    tools: callableTools(body.tools, choice),
    parallelToolCalls: choice.disable_parallel_tool_use !== true,
    reasoning: reasoningOf(body.thinking),
    json: isObject(output.format) ? { schema: output.format.schema } : undefined,
    lastRole: last.role !== 'user' ? 'other' : results.length > 0 ? 'tool' : 'user',
    lastText: textOf(last.content),
    toolResults: results.map(({ content }) => textOf(content)),
    promptCharacters: countPrompt(body),
  };
}

function callableTools(tools: unknown, choice: JsonObject): ChatQuestion['tools'] {
  if (choice.type === 'none') return [];
  return objectsOf(tools)
    .filter(({ type, name }) => !serverTool.test(String(type)) && (choice.type !== 'tool' || name === choice.name))
    .map(({ name, input_schema: parameters }) => ({ name: String(name), parameters }));
}

/** The vendor runs these itself. */
const serverTool = /^(advisor|code_execution|mcp_toolset|tool_search|web_fetch|web_search)/;

function reasoningOf(thinking: unknown): ChatQuestion['reasoning'] {
  const type = isObject(thinking) ? thinking.type : undefined;
  return type === 'enabled' || type === 'adaptive' ? 'asked' : 'off';
}

function countPrompt({ system, messages, tools }: JsonObject): number {
  const ofTools = tools === undefined ? 0 : JSON.stringify(tools).length;
  return objectsOf(messages).reduce(
    (total, { content }) => total + countContent(content),
    ofTools + textOf(system).length,
  );
}

function countContent(content: unknown): number {
  const others = objectsOf(content).filter(({ text }) => typeof text !== 'string');
  const counted = others.map((block) =>
    block.type === 'image' || block.type === 'document' ? charactersOfMedia : JSON.stringify(block).length,
  );
  return counted.reduce((total, size) => total + size, textOf(content).length);
}
