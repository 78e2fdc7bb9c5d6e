import { isObject, type JsonObject } from '@switchyard/sandbox';
import { findFirst } from '../finding.ts';
import { invalid, unknownModel, type Finding } from './errors.ts';
import { checkMessages } from './message-strictness.ts';
import { rulesOf, type ModelRules } from './models.ts';
import { checkThinking } from './thinking-strictness.ts';
import { checkTools } from './tool-strictness.ts';

/** The first thing that would be refused in this body. */
export function findFault(body: JsonObject): Finding {
  const { model } = body;
  if (typeof model !== 'string') return invalid('model: Field required');
  const early = checkNames(body) ?? checkRequired(body);
  if (early) return early;
  const rules = rulesOf(model);
  if (rules === undefined) return unknownModel(model);
  return (
    checkMaxTokens(body, rules) ??
    checkSystem(body.system) ??
    checkMessages(body) ??
    checkTools(body) ??
    checkSampling(body, rules) ??
    checkThinking(body, rules) ??
    checkOutput(body, rules) ??
    checkStops(body.stop_sequences)
  );
}

const members = new Set([
  ...['model', 'messages', 'max_tokens', 'system', 'stop_sequences', 'temperature', 'top_p', 'top_k', 'tools'],
  ...['tool_choice', 'thinking', 'output_config', 'metadata', 'service_tier', 'stream', 'cache_control', 'container'],
  ...['inference_geo', 'context_management', 'mcp_servers'],
]);

function checkNames(body: JsonObject): Finding {
  const unknown = Object.keys(body).find((name) => !members.has(name));
  return unknown === undefined ? undefined : invalid(`${unknown}: Extra inputs are not permitted`);
}

function checkRequired(body: JsonObject): Finding {
  const missing = ['messages', 'max_tokens'].find((name) => body[name] === undefined);
  return missing === undefined ? undefined : invalid(`${missing}: Field required`);
}

function checkMaxTokens({ max_tokens: asked, model }: JsonObject, { maxOutput }: ModelRules): Finding {
  if (typeof asked !== 'number' || !Number.isInteger(asked))
    return invalid('max_tokens: Input should be a valid integer');
  if (asked < 1) return invalid('max_tokens: Input should be greater than or equal to 1');
  if (asked <= maxOutput) return undefined;
  return invalid(
    `max_tokens: ${asked} > ${maxOutput}, which is the maximum allowed number of output tokens for ${String(model)}`,
  );
}

function checkSystem(system: unknown): Finding {
  if (system === undefined || typeof system === 'string') return undefined;
  if (!Array.isArray(system)) return invalid('system: Input should be a valid list');
  return findFirst(system, (block: unknown, index) => {
    if (!isObject(block) || block.type !== 'text') return invalid(`system.${index}.type: Input should be 'text'`);
    return block.text === '' ? invalid('system: text content blocks must be non-empty') : undefined;
  });
}

const ranges: Readonly<Record<string, number>> = { temperature: 1, top_p: 1, top_k: Number.MAX_SAFE_INTEGER };

function checkSampling(body: JsonObject, { sampling, bothSamplings }: ModelRules): Finding {
  const given = Object.keys(ranges).filter((name) => body[name] !== undefined);
  const wrong = given.find((name) => !isWithin(body[name], ranges[name] ?? 0));
  if (wrong !== undefined) return invalid(`${wrong}: range: 0..${ranges[wrong]}`);
  // The defaults are let through: temperature 1 says nothing.
  const refused = given.find((name) => !(name !== 'top_k' && body[name] === 1));
  if (!sampling && refused !== undefined) return invalid(`\`${refused}\` is not supported by ${String(body.model)}.`);
  if (bothSamplings || !given.includes('temperature') || !given.includes('top_p')) return undefined;
  return invalid('`temperature` and `top_p` cannot both be specified for this model. Please use only one.');
}

const isWithin = (value: unknown, maximum: number) => typeof value === 'number' && value >= 0 && value <= maximum;

function checkOutput({ output_config: output }: JsonObject, { efforts, jsonFormat }: ModelRules): Finding {
  if (output === undefined) return undefined;
  if (!isObject(output)) return invalid('output_config: Input should be a valid dictionary');
  const { effort, format } = output;
  if (effort !== undefined && efforts.length === 0) return invalid('This model does not support the effort parameter.');
  if (effort !== undefined && !efforts.includes(String(effort)))
    return invalid(
      `This model does not support effort level '${String(effort)}'. Supported levels: ${efforts.join(', ')}.`,
    );
  if (format === undefined) return undefined;
  if (!jsonFormat) return invalid('output_config.format: this model does not support structured outputs.');
  if (!isObject(format) || format.type !== 'json_schema')
    return invalid("output_config.format.type: Input should be 'json_schema'");
  return isObject(format.schema) ? undefined : invalid('output_config.format.schema: Field required');
}

function checkStops(stops: unknown): Finding {
  if (stops === undefined) return undefined;
  if (!Array.isArray(stops)) return invalid('stop_sequences: Input should be a valid list');
  const blank = stops.some((stop) => typeof stop !== 'string' || stop.trim() === '');
  return blank ? invalid('stop_sequences: each stop sequence must contain non-whitespace') : undefined;
}
