import { isObject, type JsonObject, objectsOf } from '@tallyport/sandbox';

/** The steps of an input, however it is written. */
export function inputSteps(input: unknown): JsonObject[] {
  if (typeof input === 'string') return [{ type: 'user_input', content: [{ type: 'text', text: input }] }];
  if (isObject(input)) return [{ type: 'user_input', content: [input] }];
  const listed = objectsOf(input);
  return listed[0] !== undefined && isInputContent(listed[0]) ? [{ type: 'user_input', content: listed }] : listed;
}

export const isInputContent = ({ type }: JsonObject): boolean =>
  ['text', 'image', 'audio', 'document', 'video'].includes(String(type));

/** The same request in the vendor's other API, which the simulated model reads. */
export function asGenerateContent(body: JsonObject): JsonObject {
  const { system_instruction: instruction } = body;
  const tools = objectsOf(body.tools);
  return {
    contents: contentsOf(inputSteps(body.input)),
    ...(typeof instruction === 'string' && { systemInstruction: { parts: [{ text: instruction }] } }),
    ...(tools.length > 0 && { tools: tools.map(toolOf) }),
    ...choiceOf(body.generation_config),
    ...(typeof body.service_tier === 'string' && { serviceTier: body.service_tier }),
    generationConfig: configOf(body),
  };
}

/** Steps of one side in a row are one content. */
function contentsOf(steps: readonly JsonObject[]): JsonObject[] {
  const contents: { role: string; parts: JsonObject[] }[] = [];
  for (const step of steps) {
    const role = step.type === 'user_input' || step.type === 'function_result' ? 'user' : 'model';
    const parts = partsOf(step);
    const last = contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else if (parts.length > 0) contents.push({ role, parts });
  }
  return contents;
}

function partsOf(step: JsonObject): JsonObject[] {
  switch (step.type) {
    case 'function_call':
      return [{ functionCall: { name: step.name, args: step.arguments } }];
    case 'function_result':
      return [{ functionResponse: { name: step.name ?? 'result', response: responseOf(step.result) } }];
    case 'model_output':
    case 'user_input':
      return objectsOf(step.content).map(partOf);
    default:
      return [];
  }
}

const partOf = ({ type, text, mime_type: mimeType, data, uri }: JsonObject): JsonObject => {
  if (type === 'text') return { text };
  return data === undefined ? { fileData: { fileUri: uri, mimeType } } : { inlineData: { mimeType, data } };
};

function responseOf(result: unknown): JsonObject {
  if (typeof result === 'string') return { result };
  return isObject(result)
    ? result
    : {
        result: objectsOf(result)
          .map(({ text }) => String(text ?? ''))
          .join('\n'),
      };
}

const hosted: Readonly<Record<string, string>> = {
  code_execution: 'codeExecution',
  google_search: 'googleSearch',
  url_context: 'urlContext',
};

function toolOf({ type, name, description, parameters }: JsonObject): JsonObject {
  if (type !== 'function') return { [hosted[String(type)] ?? String(type)]: {} };
  return { functionDeclarations: [{ name, description, parametersJsonSchema: parameters }] };
}

function choiceOf(config: unknown): JsonObject {
  const { tool_choice: choice } = isObject(config) ? config : {};
  const { mode, tools } = isObject(choice) && isObject(choice.allowed_tools) ? choice.allowed_tools : { mode: choice };
  if (typeof mode !== 'string') return {};
  return {
    toolConfig: {
      functionCallingConfig: { mode: mode.toUpperCase(), ...(Array.isArray(tools) && { allowedFunctionNames: tools }) },
    },
  };
}

function configOf(body: JsonObject): JsonObject {
  const config = isObject(body.generation_config) ? body.generation_config : {};
  const format = [body.response_format].flat().find((each) => isObject(each) && each.type === 'text');
  const { mime_type: type = body.response_mime_type, schema } = isObject(format) ? format : {};
  return {
    ...(config.max_output_tokens !== undefined && { maxOutputTokens: config.max_output_tokens }),
    ...(config.stop_sequences !== undefined && { stopSequences: config.stop_sequences }),
    ...((type === 'application/json' || schema !== undefined) && {
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
    }),
    ...(thinks(config) && { thinkingConfig: { includeThoughts: true } }),
  };
}

export const asksForThoughts = (body: JsonObject): boolean =>
  isObject(body.generation_config) && body.generation_config.thinking_summaries === 'auto';

const thinks = ({ thinking_summaries: summaries, thinking_level: level }: JsonObject): boolean =>
  summaries === 'auto' || (level !== undefined && level !== 'minimal');
