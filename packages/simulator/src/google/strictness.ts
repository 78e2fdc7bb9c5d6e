import { isObject, objectsOf, type JsonObject } from '@tallyport/sandbox';
import { findFirst } from '../finding.ts';
import { checkContents } from './content-strictness.ts';
import { googleInvalid } from './errors.ts';
import { checkImageSettings } from './image-models.ts';
import { unknownOf, type GoogleFinding } from './unknown.ts';
import { checkSchema } from './schema-strictness.ts';
import { checkSignatures } from './signature-strictness.ts';

/** The first error that the vendor would report for this body, which is already in camel case. */
export function findGoogleFault(body: JsonObject, { model, host }: { model: string; host: string }): GoogleFinding {
  return (
    unknownOf(body, members, '') ??
    checkContents(body.contents) ??
    checkSystem(body.systemInstruction) ??
    checkTools(body) ??
    checkGeneration(body.generationConfig, model) ??
    checkCombination(body, model) ??
    checkImageSettings(body, isObject(body.generationConfig) ? body.generationConfig : {}, model) ??
    (isGemini3(model) ? checkSignatures(objectsOf(body.contents), host) : undefined)
  );
}

export const isGemini3 = (model: string): boolean => model.startsWith('gemini-3');

const members = [
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'safetySettings',
  'cachedContent',
  'labels',
  'serviceTier',
  'store',
  'generationConfig',
];

const generationMembers = [
  'temperature',
  'topP',
  'topK',
  'candidateCount',
  'maxOutputTokens',
  'stopSequences',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'responseLogprobs',
  'logprobs',
  'responseMimeType',
  'responseSchema',
  'responseJsonSchema',
  'responseModalities',
  'mediaResolution',
  'speechConfig',
  'thinkingConfig',
  'imageConfig',
];

function checkSystem(instruction: unknown): GoogleFinding {
  if (instruction === undefined) return undefined;
  const parts = isObject(instruction) ? objectsOf(instruction.parts) : [];
  return parts.length > 0
    ? undefined
    : googleInvalid('GenerateContentRequest.system_instruction.parts: must not be empty.');
}

function checkTools({ tools, toolConfig }: JsonObject): GoogleFinding {
  if (tools !== undefined && !Array.isArray(tools)) return googleInvalid("Invalid value at 'tools'");
  const declared = objectsOf(tools).flatMap((tool) => objectsOf(tool.functionDeclarations));
  const config =
    isObject(toolConfig) && isObject(toolConfig.functionCallingConfig) ? toolConfig.functionCallingConfig : {};
  return findFirst(declared, checkDeclaration) ?? checkMode(config, declared);
}

function checkDeclaration(tool: JsonObject, index: number): GoogleFinding {
  const at = `tools[0].function_declarations[${index}]`;
  const unknown = unknownOf(
    tool,
    ['name', 'description', 'parameters', 'parametersJsonSchema', 'response', 'responseJsonSchema', 'behavior'],
    at,
  );
  if (unknown) return unknown;
  if (typeof tool.name !== 'string' || !/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(tool.name))
    return googleInvalid(
      `GenerateContentRequest.${at}.name: Invalid function name. Must start with a letter or an underscore.`,
    );
  if (tool.parameters !== undefined && tool.parametersJsonSchema !== undefined)
    return googleInvalid(`${at}: only one of parameters and parameters_json_schema may be set.`);
  return tool.parameters === undefined ? undefined : checkSchema(tool.parameters, `${at}.parameters`);
}

function checkMode(
  { mode, allowedFunctionNames: allowed }: JsonObject,
  declared: readonly JsonObject[],
): GoogleFinding {
  if (mode !== undefined && !['AUTO', 'ANY', 'NONE', 'VALIDATED'].includes(String(mode)))
    return googleInvalid(`Invalid value at 'tool_config.function_calling_config.mode': "${String(mode)}"`);
  if (allowed === undefined) return undefined;
  if (mode !== 'ANY' && mode !== 'VALIDATED')
    return googleInvalid('Allowed function names should be set only when function calling mode is ANY or VALIDATED.');
  const names = Array.isArray(allowed) ? allowed : [];
  const unknown = names.find((name) => !declared.some((tool) => tool.name === name));
  return unknown === undefined
    ? undefined
    : googleInvalid(`Unknown function in allowed_function_names: ${String(unknown)}`);
}

function checkGeneration(config: unknown, model: string): GoogleFinding {
  if (config === undefined) return undefined;
  if (!isObject(config)) return googleInvalid("Invalid value at 'generation_config'");
  return (
    unknownOf(config, generationMembers, 'generation_config') ??
    checkSampling(config) ??
    checkPenalties(config, model) ??
    checkFormat(config) ??
    checkThinking(config.thinkingConfig, model)
  );
}

function checkSampling({ temperature, stopSequences }: JsonObject): GoogleFinding {
  if (temperature !== undefined && !(Number(temperature) >= 0 && Number(temperature) <= 2))
    return googleInvalid(
      `Unable to submit request because it has a temperature value of ${String(temperature)} but the supported range is from 0 (inclusive) to 2.0 (inclusive).`,
    );
  if (Array.isArray(stopSequences) && stopSequences.length > 5)
    return googleInvalid(
      'GenerateContentRequest.generation_config.stop_sequences: at most 5 stop sequences are allowed.',
    );
  return undefined;
}

/** A penalty of 0 is accepted. */
function checkPenalties({ presencePenalty, frequencyPenalty }: JsonObject, model: string): GoogleFinding {
  const given = [presencePenalty, frequencyPenalty].some((penalty) => typeof penalty === 'number' && penalty !== 0);
  return given && !/^gemini-(1\.5-.*-002|2\.0-flash)/.test(model)
    ? googleInvalid('Penalty is not enabled for this model')
    : undefined;
}

/** Models before Gemini 3 either call functions or return JSON. No model combines search and functions. */
function checkCombination({ tools, generationConfig }: JsonObject, model: string): GoogleFinding {
  const listed = objectsOf(tools);
  const declares = listed.some((tool) => objectsOf(tool.functionDeclarations).length > 0);
  if (declares && listed.some((tool) => tool.googleSearch !== undefined))
    return googleInvalid('Tool use with function calling is unsupported');
  const type = isObject(generationConfig) ? generationConfig.responseMimeType : undefined;
  return declares && type === 'application/json' && !isGemini3(model)
    ? googleInvalid("Function calling with a response mime type: 'application/json' is unsupported")
    : undefined;
}

function checkFormat({ responseSchema, responseJsonSchema, responseMimeType }: JsonObject): GoogleFinding {
  if ((responseSchema ?? responseJsonSchema) !== undefined && responseMimeType !== 'application/json')
    return googleInvalid('Response schema is only supported with response mime type application/json.');
  return responseSchema === undefined ? undefined : checkSchema(responseSchema, 'generation_config.response_schema');
}

function checkThinking(thinking: unknown, model: string): GoogleFinding {
  if (!isObject(thinking)) return undefined;
  const { thinkingBudget: budget, thinkingLevel: level } = thinking;
  if (budget !== undefined && level !== undefined)
    return googleInvalid('You can only set only one of thinking budget and thinking level.');
  if (level !== undefined) return checkLevel(String(level), model);
  const tooSmall = typeof budget === 'number' && budget >= 0 && budget < 128;
  return tooSmall && model.startsWith('gemini-2.5-pro')
    ? googleInvalid(`Budget ${budget} is invalid. This model only works in thinking mode.`)
    : undefined;
}

/** The first pattern that matches a model's name applies. Second-generation models think with a budget. */
const thinkingLevels: readonly (readonly [RegExp, string])[] = [
  [/^gemini-[12]/, ''],
  [/^gemini-3-pro/, 'LOW HIGH'],
  [/^gemma-4/, 'MINIMAL HIGH'],
  [/^gemini-4-hydrogen/, 'LOW MEDIUM HIGH XHIGH'],
  [/nano-banana/, 'MINIMAL MEDIUM HIGH'],
  [/^gemini.*-(pro|argon|carbon)|^gemini-3\.[78]-flash/, 'LOW MEDIUM HIGH'],
];

function checkLevel(level: string, model: string): GoogleFinding {
  const known = thinkingLevels.find(([names]) => names.test(model))?.[1] ?? 'MINIMAL LOW MEDIUM HIGH';
  if (known.split(' ').includes(level.toUpperCase())) return undefined;
  return googleInvalid(`Thinking level ${level} is not supported for this model.`);
}
