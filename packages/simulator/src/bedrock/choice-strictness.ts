import { isObject, type JsonObject } from '@tallyport/sandbox';
import { bedrockInvalid, type BedrockFinding } from './errors.ts';

/** The tool choices that a model lacks. The first pattern that matches its name applies. */
const missing: readonly (readonly [RegExp, readonly string[]])[] = [
  [/mistral/, ['tool']],
  [/meta\./, ['any', 'auto', 'tool']],
];

export function checkChoiceOf({ toolConfig }: JsonObject, model: string): BedrockFinding {
  const choice = isObject(toolConfig) && isObject(toolConfig.toolChoice) ? toolConfig.toolChoice : {};
  const lacking = missing.find(([names]) => names.test(model))?.[1] ?? [];
  const kind = lacking.find((name) => name in choice);
  if (kind === undefined) return undefined;
  const path = `toolConfig.toolChoice.${kind}`;
  return bedrockInvalid(`This model doesn't support the ${path} field. Remove ${path} and try again.`);
}
