import { isObject, type JsonObject } from '@tallyport/sandbox';
import { findFirst } from '../finding.ts';
import { checkCompanions } from './company-strictness.ts';
import { anthropicInvalid, anthropicUnknownModel, type AnthropicFinding } from './errors.ts';
import { checkAnthropicMessages } from './message-strictness.ts';
import { anthropicRulesOf, type AnthropicRules } from './models.ts';
import { checkStrictSchema } from './schema-strictness.ts';
import { checkAnthropicTools } from './tool-strictness.ts';

/** The headers on which the meaning of a body depends. */
export interface AnthropicHeaders {
  version: string;
  betas: readonly string[];
}

/** The first version without the members for sampling. */
const latestVersion = '2026-10-21';

export const anthropicVersions = ['2023-01-01', '2023-06-01', latestVersion];

/** The first error that the vendor would report for this body. */
export function findAnthropicFault(body: JsonObject, { version, betas }: AnthropicHeaders): AnthropicFinding {
  const { model } = body;
  if (typeof model !== 'string') return anthropicInvalid('model: Field required');
  const early = checkNames(body, betas) ?? checkRequired(body);
  if (early) return early;
  const rules = anthropicRulesOf(model);
  if (rules === undefined) return anthropicUnknownModel(model);
  return (
    checkMaxTokens(body, rules) ??
    checkSystem(body.system) ??
    checkAnthropicMessages(body, rules) ??
    checkAnthropicTools(body, rules) ??
    checkCompanions(body, rules) ??
    checkSampling(body, rules, version) ??
    checkOutput(body, rules) ??
    checkStops(body.stop_sequences)
  );
}

const members = new Set([
  'model',
  'messages',
  'max_tokens',
  'system',
  'stop_sequences',
  'temperature',
  'top_p',
  'top_k',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'metadata',
  'service_tier',
  'speed',
  'stream',
  'cache_control',
  'container',
  'inference_geo',
  'context_management',
  'mcp_servers',
]);

/** A beta named after a member adds it: `context-hints-2027-01-01` adds `context_hints`. */
function checkNames(body: JsonObject, betas: readonly string[]): AnthropicFinding {
  const isAdded = (name: string): boolean => betas.some((beta) => beta.startsWith(name.replaceAll('_', '-')));
  const unknown = Object.keys(body).find((name) => !members.has(name) && !isAdded(name));
  return unknown === undefined ? undefined : anthropicInvalid(`${unknown}: Extra inputs are not permitted`);
}

function checkRequired(body: JsonObject): AnthropicFinding {
  const missing = ['messages', 'max_tokens'].find((name) => body[name] === undefined);
  return missing === undefined ? undefined : anthropicInvalid(`${missing}: Field required`);
}

function checkMaxTokens({ max_tokens: asked, model }: JsonObject, { maxOutput }: AnthropicRules): AnthropicFinding {
  if (typeof asked !== 'number' || !Number.isInteger(asked))
    return anthropicInvalid('max_tokens: Input should be a valid integer');
  if (asked < 1) return anthropicInvalid('max_tokens: Input should be greater than or equal to 1');
  if (asked <= maxOutput) return undefined;
  return anthropicInvalid(
    `max_tokens: ${asked} > ${maxOutput}, which is the maximum allowed number of output tokens for ${String(model)}`,
  );
}

function checkSystem(system: unknown): AnthropicFinding {
  if (system === undefined || typeof system === 'string') return undefined;
  if (!Array.isArray(system)) return anthropicInvalid('system: Input should be a valid list');
  return findFirst(system, (block: unknown, index) => {
    if (!isObject(block) || block.type !== 'text')
      return anthropicInvalid(`system.${index}.type: Input should be 'text'`);
    return block.text === '' ? anthropicInvalid('system: text content blocks must be non-empty') : undefined;
  });
}

const ranges: Readonly<Record<string, number>> = { temperature: 1, top_p: 1, top_k: Number.MAX_SAFE_INTEGER };

function checkNoSampling(body: JsonObject): AnthropicFinding {
  const given = Object.keys(ranges).find((name) => body[name] !== undefined);
  return given === undefined ? undefined : anthropicInvalid(`${given}: Extra inputs are not permitted`);
}

function checkSampling(
  body: JsonObject,
  { sampling, bothSamplings }: AnthropicRules,
  version: string,
): AnthropicFinding {
  if (version === latestVersion) return checkNoSampling(body);
  const given = Object.keys(ranges).filter((name) => body[name] !== undefined);
  const wrong = given.find((name) => !isWithin(body[name], ranges[name] ?? 0));
  if (wrong !== undefined) return anthropicInvalid(`${wrong}: range: 0..${ranges[wrong]}`);
  // Default values are accepted, such as temperature 1.
  const refused = given.find((name) => !(name !== 'top_k' && body[name] === 1));
  if (!sampling && refused !== undefined)
    return anthropicInvalid(`\`${refused}\` is not supported by ${String(body.model)}.`);
  if (bothSamplings || !given.includes('temperature') || !given.includes('top_p')) return undefined;
  return anthropicInvalid('`temperature` and `top_p` cannot both be specified for this model. Please use only one.');
}

const isWithin = (value: unknown, maximum: number) => typeof value === 'number' && value >= 0 && value <= maximum;

function checkOutput({ output_config: output }: JsonObject, { efforts, jsonFormat }: AnthropicRules): AnthropicFinding {
  if (output === undefined) return undefined;
  if (!isObject(output)) return anthropicInvalid('output_config: Input should be a valid dictionary');
  const { effort, format } = output;
  if (effort !== undefined && efforts.length === 0)
    return anthropicInvalid('This model does not support the effort parameter.');
  if (effort !== undefined && !efforts.includes(String(effort)))
    return anthropicInvalid(
      `This model does not support effort level '${String(effort)}'. Supported levels: ${efforts.join(', ')}.`,
    );
  if (format === undefined) return undefined;
  if (!jsonFormat) return anthropicInvalid('output_config.format: this model does not support structured outputs.');
  if (!isObject(format) || format.type !== 'json_schema')
    return anthropicInvalid("output_config.format.type: Input should be 'json_schema'");
  return checkStrictSchema(format.schema, 'output_config.format.schema');
}

function checkStops(stops: unknown): AnthropicFinding {
  if (stops === undefined) return undefined;
  if (!Array.isArray(stops)) return anthropicInvalid('stop_sequences: Input should be a valid list');
  const blank = stops.some((stop) => typeof stop !== 'string' || stop.trim() === '');
  return blank ? anthropicInvalid('stop_sequences: each stop sequence must contain non-whitespace') : undefined;
}
