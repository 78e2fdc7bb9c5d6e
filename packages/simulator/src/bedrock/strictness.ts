import { isObject, objectsOf, type JsonObject } from '@tallyport/sandbox';
import { findFirst } from '../finding.ts';
import { checkBlock } from './block-strictness.ts';
import { bedrockInvalid, type BedrockFinding } from './errors.ts';

/** The first error that Converse would report for this body. */
export function findConverseFault(body: JsonObject): BedrockFinding {
  return (
    checkNames(body) ??
    checkMessages(body.messages) ??
    checkSystem(body.system) ??
    checkInference(body.inferenceConfig) ??
    checkTools(body)
  );
}

const members = [
  'messages',
  'system',
  'inferenceConfig',
  'toolConfig',
  'additionalModelRequestFields',
  'guardrailConfig',
  'performanceConfig',
  'serviceTier',
  'requestMetadata',
  'outputConfig',
  'promptVariables',
  'additionalModelResponseFieldPaths',
];

function checkNames(body: JsonObject): BedrockFinding {
  const unknown = Object.keys(body).find((name) => !members.includes(name));
  return unknown === undefined
    ? undefined
    : bedrockInvalid(`Malformed input request: #: extraneous key [${unknown}] is not permitted`);
}

function checkMessages(messages: unknown): BedrockFinding {
  if (!Array.isArray(messages) || messages.length === 0)
    return bedrockInvalid('The messages field is required and must not be empty.');
  return (
    findFirst(messages, (message: unknown, index) => checkMessage(message, index)) ??
    findFirst(messages, (_, index) => checkOrder(messages, index)) ??
    findFirst(messages, (_, index) => checkToolTurn(messages, index))
  );
}

function checkMessage(message: unknown, index: number): BedrockFinding {
  const at = `messages.${index}`;
  if (!isObject(message)) return bedrockInvalid(`${at}: must be an object`);
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant')
    return bedrockInvalid(
      `1 validation error detected: Value '${String(role)}' at '${at}.member.role' failed to satisfy constraint: Member must satisfy enum value set: [user, assistant]`,
    );
  if (!Array.isArray(content)) return bedrockInvalid(`${at}.content: must be a list of content blocks`);
  if (content.length === 0)
    return bedrockInvalid(
      `The content field in the Message object at ${at} is empty. Add a ContentBlock object to the content field and try again.`,
    );
  return findFirst(content, (block: unknown, place) => checkBlock(block, `${at}.content.${place}`));
}

function checkOrder(messages: readonly JsonObject[], index: number): BedrockFinding {
  if (messages[0]?.role !== 'user')
    return bedrockInvalid(
      'A conversation must start with a user message. Try again with a conversation that starts with a user message.',
    );
  if (index === 0 || messages[index]?.role !== messages[index - 1]?.role) return undefined;
  return bedrockInvalid(
    'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.',
  );
}

const idsOf = (message: JsonObject | undefined, member: 'toolUse' | 'toolResult'): string[] =>
  objectsOf(message?.content)
    .map((block) => block[member])
    .filter(isObject)
    .map(({ toolUseId }) => String(toolUseId));

/** Every call must have its result in the next message, and every result its call in the previous one. */
function checkToolTurn(messages: readonly JsonObject[], index: number): BedrockFinding {
  const results = idsOf(messages[index], 'toolResult');
  const calls = idsOf(messages[index - 1], 'toolUse');
  const missing = calls.filter((id) => !results.includes(id));
  if (missing.length > 0)
    return bedrockInvalid(
      `Expected toolResult blocks at messages.${index}.content for the following Ids: ${missing.join(', ')}`,
    );
  if (results.length > calls.length)
    return bedrockInvalid(
      `The number of toolResult blocks at messages.${index}.content exceeds the number of toolUse blocks of previous turn.`,
    );
  const orphan = results.find((id) => !calls.includes(id));
  return orphan === undefined
    ? undefined
    : bedrockInvalid(`messages.${index}: the toolUseId ${orphan} has no toolUse block in the previous turn.`);
}

function checkSystem(system: unknown): BedrockFinding {
  if (system === undefined) return undefined;
  if (!Array.isArray(system)) return bedrockInvalid('system: must be a list of system content blocks');
  return findFirst(system, (block: unknown, index) => {
    if (!isObject(block)) return bedrockInvalid(`system.${index}: must be an object`);
    return block.text === ''
      ? bedrockInvalid(`The text field in the SystemContentBlock object at system.${index} is blank.`)
      : undefined;
  });
}

function checkInference(config: unknown): BedrockFinding {
  if (config === undefined) return undefined;
  if (!isObject(config)) return bedrockInvalid('inferenceConfig: must be an object');
  const unknown = Object.keys(config).find(
    (name) => !['maxTokens', 'temperature', 'topP', 'stopSequences'].includes(name),
  );
  if (unknown !== undefined)
    return bedrockInvalid(`Malformed input request: #/inferenceConfig: extraneous key [${unknown}] is not permitted`);
  const { temperature, topP, maxTokens } = config;
  const outside = [temperature, topP].some(
    (value) => value !== undefined && !(Number(value) >= 0 && Number(value) <= 1),
  );
  if (outside)
    return bedrockInvalid('1 validation error detected: inferenceConfig.temperature and topP must be between 0 and 1.');
  const whole = maxTokens === undefined || (Number.isInteger(maxTokens) && Number(maxTokens) >= 1);
  return whole
    ? undefined
    : bedrockInvalid('1 validation error detected: inferenceConfig.maxTokens must be at least 1.');
}

function checkTools({ toolConfig, messages }: JsonObject): BedrockFinding {
  const usesTools = objectsOf(messages).some(
    (message) => [...idsOf(message, 'toolUse'), ...idsOf(message, 'toolResult')].length > 0,
  );
  if (toolConfig === undefined)
    return usesTools
      ? bedrockInvalid('The toolConfig field must be defined when using toolUse and toolResult content blocks.')
      : undefined;
  if (!isObject(toolConfig) || !Array.isArray(toolConfig.tools) || toolConfig.tools.length === 0)
    return bedrockInvalid('The toolConfig.tools field must hold at least one tool.');
  return findFirst(objectsOf(toolConfig.tools), checkTool) ?? checkChoice(toolConfig.toolChoice, toolConfig.tools);
}

function checkTool({ toolSpec, cachePoint }: JsonObject, index: number): BedrockFinding {
  if (cachePoint !== undefined) return undefined;
  const at = `toolConfig.tools.${index}.member.toolSpec`;
  if (!isObject(toolSpec)) return bedrockInvalid(`${at}: must be defined`);
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(String(toolSpec.name)))
    return bedrockInvalid(
      `${at}.name failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+`,
    );
  if (toolSpec.description === '')
    return bedrockInvalid(
      `${at}.description failed to satisfy constraint: Member must have length greater than or equal to 1`,
    );
  const schema = isObject(toolSpec.inputSchema) ? toolSpec.inputSchema.json : undefined;
  if (!isObject(schema)) return bedrockInvalid(`${at}.inputSchema.json: must be defined`);
  return schema.type === 'object'
    ? undefined
    : bedrockInvalid(`The value at ${at}.inputSchema.json.type must be one of the following: object.`);
}

function checkChoice(choice: unknown, tools: readonly unknown[]): BedrockFinding {
  if (choice === undefined) return undefined;
  const [kind = '', ...others] = isObject(choice) ? Object.keys(choice) : [];
  if (!isObject(choice) || others.length > 0 || !['auto', 'any', 'tool'].includes(kind))
    return bedrockInvalid('toolConfig.toolChoice must be one of: auto, any, tool.');
  const name = isObject(choice.tool) ? choice.tool.name : undefined;
  const known = objectsOf(tools).some(({ toolSpec }) => isObject(toolSpec) && toolSpec.name === name);
  return kind !== 'tool' || known
    ? undefined
    : bedrockInvalid(`The tool ${String(name)} in toolChoice is not among the tools.`);
}
