import { isObject, objectsOf, type JsonObject } from '@switchyard/sandbox';
import { findFirst } from '../finding.ts';
import { checkContents } from './content-strictness.ts';
import { invalid } from './errors.ts';
import { checkImageWishes } from './image-models.ts';
import { unknownOf, type Finding } from './unknown.ts';
import { checkSchema } from './schema-strictness.ts';
import { checkSignatures } from './signature-strictness.ts';

/** The first thing that would be refused in this body, camel case by now. */
export function findFault(body: JsonObject, model: string): Finding {
  return (
    unknownOf(body, members, '') ??
    checkContents(body.contents) ??
    checkSystem(body.systemInstruction) ??
    checkTools(body) ??
    checkGeneration(body.generationConfig, model) ??
    checkImageWishes(body, isObject(body.generationConfig) ? body.generationConfig : {}, model) ??
    (isGemini3(model) ? checkSignatures(objectsOf(body.contents)) : undefined)
  );
}

export const isGemini3 = (model: string): boolean => model.startsWith('gemini-3');

const members = [
  ...['contents', 'systemInstruction', 'tools', 'toolConfig', 'safetySettings', 'cachedContent', 'labels'],
  ...['serviceTier', 'generationConfig'],
];

const generationMembers = [
  ...['temperature', 'topP', 'topK', 'candidateCount', 'maxOutputTokens', 'stopSequences', 'seed', 'presencePenalty'],
  ...['frequencyPenalty', 'responseLogprobs', 'logprobs', 'responseMimeType', 'responseSchema', 'responseJsonSchema'],
  ...['responseModalities', 'mediaResolution', 'speechConfig', 'thinkingConfig', 'imageConfig'],
];

function checkSystem(instruction: unknown): Finding {
  if (instruction === undefined) return undefined;
  const parts = isObject(instruction) ? objectsOf(instruction.parts) : [];
  return parts.length > 0 ? undefined : invalid('GenerateContentRequest.system_instruction.parts: must not be empty.');
}

function checkTools({ tools, toolConfig }: JsonObject): Finding {
  if (tools !== undefined && !Array.isArray(tools)) return invalid("Invalid value at 'tools'");
  const declared = objectsOf(tools).flatMap((tool) => objectsOf(tool.functionDeclarations));
  const config =
    isObject(toolConfig) && isObject(toolConfig.functionCallingConfig) ? toolConfig.functionCallingConfig : {};
  return findFirst(declared, checkDeclaration) ?? checkMode(config, declared);
}

function checkDeclaration(tool: JsonObject, index: number): Finding {
  const at = `tools[0].function_declarations[${index}]`;
  const unknown = unknownOf(
    tool,
    ['name', 'description', 'parameters', 'parametersJsonSchema', 'response', 'responseJsonSchema', 'behavior'],
    at,
  );
  if (unknown) return unknown;
  if (typeof tool.name !== 'string' || !/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(tool.name))
    return invalid(
      `GenerateContentRequest.${at}.name: Invalid function name. Must start with a letter or an underscore.`,
    );
  if (tool.parameters !== undefined && tool.parametersJsonSchema !== undefined)
    return invalid(`${at}: only one of parameters and parameters_json_schema may be set.`);
  return tool.parameters === undefined ? undefined : checkSchema(tool.parameters, `${at}.parameters`);
}

function checkMode({ mode, allowedFunctionNames: allowed }: JsonObject, declared: readonly JsonObject[]): Finding {
  if (mode !== undefined && !['AUTO', 'ANY', 'NONE', 'VALIDATED'].includes(String(mode)))
    return invalid(`Invalid value at 'tool_config.function_calling_config.mode': "${String(mode)}"`);
  if (allowed === undefined) return undefined;
  if (mode !== 'ANY' && mode !== 'VALIDATED')
    return invalid('Allowed function names should be set only when function calling mode is ANY or VALIDATED.');
  const names = Array.isArray(allowed) ? allowed : [];
  const unknown = names.find((name) => !declared.some((tool) => tool.name === name));
  return unknown === undefined ? undefined : invalid(`Unknown function in allowed_function_names: ${String(unknown)}`);
}

function checkGeneration(config: unknown, model: string): Finding {
  if (config === undefined) return undefined;
  if (!isObject(config)) return invalid("Invalid value at 'generation_config'");
  return (
    unknownOf(config, generationMembers, 'generation_config') ??
    checkSampling(config) ??
    checkFormat(config) ??
    checkThinking(config.thinkingConfig, model)
  );
}

function checkSampling({ temperature, stopSequences }: JsonObject): Finding {
  if (temperature !== undefined && !(Number(temperature) >= 0 && Number(temperature) <= 2))
    return invalid(
      `Unable to submit request because it has a temperature value of ${String(temperature)} but the supported range is from 0 (inclusive) to 2.0 (inclusive).`,
    );
  if (Array.isArray(stopSequences) && stopSequences.length > 5)
    return invalid('GenerateContentRequest.generation_config.stop_sequences: at most 5 stop sequences are allowed.');
  return undefined;
}

function checkFormat({ responseSchema, responseJsonSchema, responseMimeType }: JsonObject): Finding {
  if ((responseSchema ?? responseJsonSchema) !== undefined && responseMimeType !== 'application/json')
    return invalid('Response schema is only supported with response mime type application/json.');
  return responseSchema === undefined ? undefined : checkSchema(responseSchema, 'generation_config.response_schema');
}

function checkThinking(thinking: unknown, model: string): Finding {
  if (!isObject(thinking)) return undefined;
  const { thinkingBudget: budget, thinkingLevel: level } = thinking;
  if (budget !== undefined && level !== undefined)
    return invalid('You can only set only one of thinking budget and thinking level.');
  if (level !== undefined) return checkLevel(String(level), model);
  const tooSmall = typeof budget === 'number' && budget >= 0 && budget < 128;
  return tooSmall && model.startsWith('gemini-2.5-pro')
    ? invalid(`Budget ${budget} is invalid. This model only works in thinking mode.`)
    : undefined;
}

function checkLevel(level: string, model: string): Finding {
  const levels = /^gemini-3(\.\d)?-pro/.test(model) ? ['LOW', 'HIGH'] : ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH'];
  if (isGemini3(model) && levels.includes(level.toUpperCase())) return undefined;
  return invalid(`Thinking level ${level} is not supported for this model.`);
}
