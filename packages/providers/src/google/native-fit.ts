import type { Offer } from '@tallyport/contracts';
import { isSealedSignature, type NativeRequest } from '@tallyport/wire';
import { finiteNumber, items, type Members, members, text } from '../read.ts';
import { geminiNames } from './names.ts';
import { type GeminiRules, geminiRules } from './models.ts';

/** Clients send the same members to every model, and each generation of models refuses some of them. */
export function fitsGemini({ members: body }: NativeRequest, { modelName }: Offer): boolean {
  const rules = geminiRules(modelName);
  const config = members(named(body, 'generationConfig'));
  return (
    fitsInstructions(named(body, 'systemInstruction'), rules) &&
    fitsThinking(members(named(config, 'thinkingConfig')), rules) &&
    fitsConfig(config, rules) &&
    items(body.tools).map(members).every(fitsNames) &&
    !items(body.contents)
      .map(members)
      .some((content) => hasForeignCalls(content, rules) || repeatsResults(content))
  );
}

/** Members may be written in either case. */
const snakeCase = {
  functionCall: 'function_call',
  functionDeclarations: 'function_declarations',
  functionResponse: 'function_response',
  frequencyPenalty: 'frequency_penalty',
  generationConfig: 'generation_config',
  presencePenalty: 'presence_penalty',
  responseJsonSchema: 'response_json_schema',
  systemInstruction: 'system_instruction',
  thinkingBudget: 'thinking_budget',
  thinkingConfig: 'thinking_config',
  thinkingLevel: 'thinking_level',
  thoughtSignature: 'thought_signature',
} as const;

const named = (value: Members, name: keyof typeof snakeCase): unknown => value[name] ?? value[snakeCase[name]];

/** A translation sends other names in place of those that the vendor refuses. */
const fitsNames = (tool: Members): boolean =>
  items(named(tool, 'functionDeclarations'))
    .map(members)
    .every(({ name }) => typeof name !== 'string' || geminiNames.test(name));

/** Some clients send a plain text, which only the gateway accepts. */
const fitsInstructions = (given: unknown, { instructions }: GeminiRules): boolean =>
  given == null || (instructions && typeof given !== 'string');

function fitsThinking(config: Members, { thinking }: GeminiRules): boolean {
  const level = text(named(config, 'thinkingLevel'))?.toUpperCase();
  const budget = finiteNumber(named(config, 'thinkingBudget'));
  switch (thinking.kind) {
    case 'none':
      return (level ?? budget) === undefined;
    case 'budget':
      return level === undefined && (budget === undefined || budget === -1 || isWithin(budget, thinking));
    case 'level':
      return level === undefined || thinking.levels.some((known) => known === level);
    default:
      return thinking satisfies never;
  }
}

const isWithin = (budget: number, { least, most }: { least: number; most: number }): boolean =>
  budget >= least && budget <= most;

function fitsConfig(config: Members, { jsonSchemas, penalties }: GeminiRules): boolean {
  const isPenalised = (['presencePenalty', 'frequencyPenalty'] as const).some(
    (name) => (named(config, name) ?? 0) !== 0,
  );
  return (penalties || !isPenalised) && (jsonSchemas || named(config, 'responseJsonSchema') == null);
}

/** The first call of a turn has the signature for all. Turns of another vendor's model have none of Google's. */
function hasForeignCalls({ parts }: Members, { signatures }: GeminiRules): boolean {
  const first = items(parts)
    .map(members)
    .find((part) => named(part, 'functionCall') !== undefined);
  if (first === undefined) return false;
  const signature = text(named(first, 'thoughtSignature'));
  return signature === undefined ? signatures : isSealedSignature(signature);
}

/** Gemini CLI sends the results of a session that it continues twice, and the vendor refuses that. */
function repeatsResults({ parts }: Members): boolean {
  const ids = items(parts).flatMap((part) => text(members(named(members(part), 'functionResponse')).id) ?? []);
  return new Set(ids).size < ids.length;
}
