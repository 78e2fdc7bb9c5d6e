import { isObject, type JsonObject, objectsOf } from '@tallyport/sandbox';
import { findFirst } from '../../finding.ts';
import { googleInvalid } from '../errors.ts';
import { findGoogleFault, isGemini3 } from '../strictness.ts';
import { type GoogleFinding, unknownOf } from '../unknown.ts';
import { asGenerateContent, isInputContent, inputSteps } from './contents.ts';
import { isSigned } from './signatures.ts';

const members = [
  'agent',
  'agent_config',
  'background',
  'continuation_token',
  'environment',
  'generation_config',
  'input',
  'labels',
  'model',
  'previous_interaction_id',
  'response_format',
  'response_mime_type',
  'response_modalities',
  'safety_settings',
  'service_tier',
  'store',
  'stream',
  'system_instruction',
  'tools',
  'webhook_config',
];

const configMembers = [
  'image_config',
  'max_output_tokens',
  'seed',
  'speech_config',
  'stop_sequences',
  'temperature',
  'thinking_level',
  'thinking_summaries',
  'tool_choice',
  'top_p',
  'transcription_config',
  'video_config',
];

const stepMembers: Readonly<Record<string, readonly string[]>> = {
  function_call: ['id', 'name', 'arguments'],
  function_result: ['call_id', 'name', 'is_error', 'result'],
  google_search_call: ['id', 'arguments', 'signature', 'search_type'],
  google_search_result: ['call_id', 'result', 'is_error', 'signature'],
  model_output: ['content', 'error'],
  thought: ['signature', 'summary'],
  user_input: ['content'],
};

/** The first error that the vendor would report for this body. */
export const findInteractionFault = (body: JsonObject): GoogleFinding =>
  unknownOf(body, members, '') ??
  checkTarget(body) ??
  (isObject(body.generation_config)
    ? unknownOf(body.generation_config, configMembers, 'generation_config')
    : undefined) ??
  checkInput(body.input) ??
  checkState(body) ??
  checkSteps(inputSteps(body.input), String(body.model)) ??
  // What is left is the same in both of the vendor's APIs, but for signatures.
  findGoogleFault(asGenerateContent(body), { model: 'gemini-2.5-flash', host: 'google' });

function checkTarget({ model, agent }: JsonObject): GoogleFinding {
  if ((model === undefined) === (agent === undefined))
    return googleInvalid('Exactly one of `model` or `agent` must be provided.');
  return agent === undefined ? undefined : googleInvalid('Simulated: there are no agents.');
}

function checkInput(input: unknown): GoogleFinding {
  if (typeof input === 'string') return input === '' ? googleInvalid('input: must not be empty.') : undefined;
  if (isObject(input)) return isInputContent(input) ? undefined : googleInvalid("Invalid value at 'input'");
  return Array.isArray(input) && input.length > 0 ? undefined : googleInvalid("Invalid value at 'input'");
}

/** Nothing is ever stored here. */
function checkState({ previous_interaction_id: id, store, background }: JsonObject): GoogleFinding {
  if (typeof id === 'string') return { code: 404, status: 'NOT_FOUND', message: `Interaction ${id} not found.` };
  if (background === true) return googleInvalid('Simulated: nothing runs in the background.');
  return store === false ? undefined : googleInvalid('Simulated: nothing is stored, so store must be false.');
}

function checkSteps(steps: readonly JsonObject[], model: string): GoogleFinding {
  const wrong = findFirst(steps, (step: JsonObject, at) => checkStep(step, `input[${at}]`));
  return wrong ?? checkResults(steps) ?? (isGemini3(model) ? checkSignatures(steps) : undefined);
}

function checkStep(step: JsonObject, at: string): GoogleFinding {
  const known = stepMembers[String(step.type)];
  if (known === undefined) return googleInvalid(`Invalid value at '${at}.type': ${String(step.type)}`);
  const unknown = unknownOf(step, ['type', ...known], at);
  if (unknown) return unknown;
  if (step.type === 'function_call' && !isObject(step.arguments))
    return googleInvalid(`Invalid value at '${at}.arguments'`);
  return findFirst(objectsOf(step.content), (content: JsonObject, place) =>
    isInputContent(content) ? undefined : googleInvalid(`Invalid value at '${at}.content[${place}]'`),
  );
}

/** Every call has one result, and every result a call before it. */
function checkResults(steps: readonly JsonObject[]): GoogleFinding {
  const waiting = new Set<unknown>();
  for (const step of steps) {
    if (step.type === 'function_call') waiting.add(step.id);
    if (step.type === 'function_result' && !waiting.delete(step.call_id))
      return googleInvalid(`No function call has the id ${String(step.call_id)}.`);
  }
  return waiting.size === 0 ? undefined : googleInvalid('Every function call must have a function result.');
}

/** In the current turn, calls must follow a thought with its signature. A signature must always be the vendor's. */
function checkSignatures(steps: readonly JsonObject[]): GoogleFinding {
  const forged = steps.some(
    ({ type, signature }) => type === 'thought' && signature !== undefined && !isSigned(signature),
  );
  if (forged) return googleInvalid('Corrupted thought signature.');
  let isCovered = false;
  for (const { type, signature } of steps.slice(steps.findLastIndex((step) => step.type === 'user_input') + 1)) {
    if (type === 'thought' && signature !== undefined) isCovered = true;
    if (type === 'function_result') isCovered = false;
    if (type === 'function_call' && !isCovered)
      return googleInvalid('Function call is missing the thought with its signature.');
  }
  return undefined;
}
