import { type JsonObject, invalidRequest } from '@tallyport/sandbox';
import type { OpenAiFinding } from './value-checks.ts';

/** The efforts each generation of reasoning models supports. The first pattern that matches applies. */
const generations: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^gpt-5(\.\d)?-chat/, ['medium']],
  [/^gpt-5-pro/, ['high']],
  [/^gpt-5(-mini|-nano)?(-\d|$)/, ['minimal', 'low', 'medium', 'high']],
  [/^gpt-5\.1/, ['none', 'low', 'medium', 'high']],
  [/^gpt-5\.[2-5]/, ['none', 'low', 'medium', 'high', 'xhigh']],
  [/^gpt-6(-astra|\.1-sol|\.2)/, ['low', 'medium', 'high', 'xhigh', 'max']],
  [/^gpt-([5-9]|\d\d)/, ['none', 'low', 'medium', 'high', 'xhigh', 'max']],
  [/^o\d/, ['low', 'medium', 'high']],
];

/**
 * Members that OpenAI's models refuse by generation: reasoning models refuse sampling hints, other models refuse
 * reasoning.
 */
export function checkByModel(body: JsonObject): OpenAiFinding {
  const model = String(body.model);
  const efforts = generations.find(([names]) => names.test(model))?.[1];
  if (!/^(gpt-|o\d|chatgpt-)/.test(model)) return undefined;
  if (body.web_search_options !== undefined && !model.includes('search'))
    return invalidRequest('Web search options not supported with this model.', 'web_search_options');
  if (body.service_tier === 'flex' && model.startsWith('gpt-6.2'))
    return invalidRequest('Invalid service_tier argument: flex is not available for this model.', 'service_tier');
  return efforts === undefined || model === 'gpt-5-chat-latest'
    ? checkPlain(body)
    : checkReasoning(body, { model, efforts });
}

/** Some models are in the Responses API only. */
export const checkChatModel = ({ model }: JsonObject): OpenAiFinding =>
  /^gpt-.*(cyber|daybreak|rosalind|-law$)/.test(String(model))
    ? {
        ...invalidRequest('This model is only supported in v1/responses and not in v1/chat/completions.', 'model'),
        status: 404,
      }
    : undefined;

function checkPlain({ reasoning_effort: effort, verbosity }: JsonObject): OpenAiFinding {
  if (isSet(effort))
    return invalidRequest('Unrecognized request argument supplied: reasoning_effort', 'reasoning_effort');
  return isSet(verbosity) && verbosity !== 'medium' ? unsupportedValue('verbosity', verbosity, ['medium']) : undefined;
}

function checkReasoning(body: JsonObject, { model, efforts }: { model: string; efforts: readonly string[] }) {
  const { reasoning_effort: effort, verbosity } = body;
  if (isSet(effort) && !efforts.includes(String(effort))) return unsupportedValue('reasoning_effort', effort, efforts);
  if (isSet(verbosity) && /^o\d/.test(model) && verbosity !== 'medium')
    return unsupportedValue('verbosity', verbosity, ['medium']);
  const hasTools = Array.isArray(body.tools) && body.tools.length > 0;
  if (
    hasTools &&
    /^gpt-(5\.[4-9]|6)/.test(model) &&
    (isSet(effort) ? effort !== 'none' : /^gpt-(5\.[6-9]|6)/.test(model))
  )
    return invalidRequest(
      `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
      'reasoning_effort',
    );
  return checkSampling(body, { model, sampling: effort === 'none' });
}

function checkSampling(body: JsonObject, { model, sampling }: { model: string; sampling: boolean }): OpenAiFinding {
  const never = ['max_tokens', ...(model.startsWith('o1') ? [] : ['stop'])];
  const hints = ['top_p', 'presence_penalty', 'frequency_penalty', 'logprobs', 'top_logprobs', 'logit_bias'];
  const refused = [...never, ...(sampling ? [] : hints)].find((name) => isSet(body[name]) && body[name] !== false);
  if (refused !== undefined)
    return invalidRequest(
      `Unsupported parameter: '${refused}' is not supported with this model.`,
      refused,
      'unsupported_parameter',
    );
  const { temperature } = body;
  if (sampling || !isSet(temperature) || temperature === 1) return undefined;
  return unsupportedValue('temperature', temperature, ['1']);
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

const unsupportedValue = (name: string, value: unknown, known: readonly string[]): OpenAiFinding =>
  invalidRequest(
    `Unsupported value: '${name}' does not support '${String(value)}' with this model. Supported values are: ${known.map((each) => `'${each}'`).join(', ')}.`,
    name,
    'unsupported_value',
  );
