import { isObject, objectsOf, type JsonObject, charactersOfMedia, type ChatQuestion } from '@tallyport/sandbox';
import { partsOf } from './content-strictness.ts';

/** Reads a generateContent request. The model is in its path. */
export function readGoogleQuestion(
  body: JsonObject,
  { model, stream }: { model: string; stream: boolean },
): ChatQuestion {
  const contents = objectsOf(body.contents);
  const last = contents.at(-1) ?? {};
  const config = isObject(body.generationConfig) ? body.generationConfig : {};
  const results = partsOf(last, 'functionResponse');
  return {
    model,
    stream,
    includeUsage: true,
    n: typeof config.candidateCount === 'number' ? config.candidateCount : 1,
    stop: Array.isArray(config.stopSequences) ? config.stopSequences.map(String) : [],
    maxTokens: typeof config.maxOutputTokens === 'number' ? config.maxOutputTokens : Number.POSITIVE_INFINITY,
    tools: callableTools(body),
    parallelToolCalls: true,
    reasoning: reasoningOf(config.thinkingConfig),
    json: config.responseMimeType === 'application/json' ? { schema: schemaOf(config) } : undefined,
    lastRole: last.role === 'model' ? 'other' : results.length > 0 ? 'tool' : 'user',
    lastText: textOf(last),
    toolResults: results.map(resultOf),
    promptCharacters: countPrompt(body),
  };
}

function callableTools({ tools, toolConfig }: JsonObject): ChatQuestion['tools'] {
  const config =
    isObject(toolConfig) && isObject(toolConfig.functionCallingConfig) ? toolConfig.functionCallingConfig : {};
  if (config.mode === 'NONE') return [];
  const allowed = Array.isArray(config.allowedFunctionNames) ? config.allowedFunctionNames : undefined;
  return objectsOf(tools)
    .flatMap((tool) => objectsOf(tool.functionDeclarations))
    .filter(({ name }) => allowed === undefined || allowed.includes(name))
    .map((tool) => ({ name: String(tool.name), parameters: lowerCased(tool.parametersJsonSchema ?? tool.parameters) }));
}

const schemaOf = ({ responseJsonSchema, responseSchema }: JsonObject) =>
  lowerCased(responseJsonSchema ?? responseSchema);

/** Types may be written in capitals. */
function lowerCased(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(lowerCased);
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === 'type' && typeof value === 'string' ? value.toLowerCase() : lowerCased(value),
    ]),
  );
}

function reasoningOf(thinking: unknown): ChatQuestion['reasoning'] {
  if (!isObject(thinking) || thinking.includeThoughts !== true) return 'off';
  return thinking.thinkingBudget === 0 ? 'off' : 'asked';
}

const textOf = (content: JsonObject): string =>
  partsOf(content, 'text')
    .map(({ text }) => String(text))
    .join('');

function resultOf({ functionResponse: result }: JsonObject): string {
  const response = isObject(result) && isObject(result.response) ? result.response : {};
  const values = Object.values(response);
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : JSON.stringify(response);
}

function countPrompt({ contents, systemInstruction, tools }: JsonObject): number {
  const all = [...objectsOf(contents), ...(isObject(systemInstruction) ? [systemInstruction] : [])];
  const sizes = all.flatMap((content) => objectsOf(content.parts)).map(sizeOf);
  return sizes.reduce((total, size) => total + size, tools === undefined ? 0 : JSON.stringify(tools).length);
}

function sizeOf(part: JsonObject): number {
  if (typeof part.text === 'string') return part.text.length;
  return (part.inlineData ?? part.fileData) ? charactersOfMedia : JSON.stringify(part).length;
}
