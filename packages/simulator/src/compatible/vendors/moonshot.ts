import { isObject, type JsonObject, objectsOf, invalidRequest, type ApiError } from '@tallyport/sandbox';
import { findFirst } from '../../finding.ts';
import { callWithoutReasoning, isGiven, isThinking } from '../../refusals.ts';
import { compatibleUsage } from '../spelling.ts';
import type { CompatibleVendor } from '../vendor.ts';

const newerModels = /^kimi-k(2\.[5-9]|[3-9])/;
const thinkers = /^kimi-k(2\.[5-9]|[3-9])|thinking/;

/** Fixed sampling on newer models, ids that name the function, and usage in the choice for older streams. */
export const moonshotVendor: CompatibleVendor = {
  id: 'moonshot',
  refuse: (body) => {
    const model = String(body.model);
    const newer = newerModels.test(model);
    return (
      (newer ? refuseSampling(body) : undefined) ??
      refuseKeep(body.thinking, model) ??
      (isThinking(body, thinkers.test(model)) ? refuseInLoop(body) : undefined)
    );
  },
  thinksByDefault: thinkers,
  errorTexts: {
    400: { type: 'invalid_request_error' },
    404: { type: 'resource_not_found_error', code: null },
    401: { message: 'Invalid Authentication', type: 'invalid_authentication_error', code: null },
    429: {
      message: 'The engine is currently overloaded, please try again later',
      type: 'engine_overloaded_error',
      code: null,
    },
  },
  errorBody: ({ message, type, code }) => ({ error: { message, type: code ?? type } }),
  spell: ({ question, body }) => ({
    toolId: ({ name }, index) => `functions.${name}:${earlierCalls(body) + index}`,
    usage: (spent) => ({ ...compatibleUsage(spent), cached_tokens: spent.cacheRead }),
    usagePlace: String(body.model).startsWith('moonshot-v1') ? 'choice' : question.includeUsage ? 'asked' : 'choice',
  }),
};

/** Its ids count the calls of the whole conversation. */
const earlierCalls = ({ messages }: JsonObject): number =>
  objectsOf(messages).reduce((count, { tool_calls: calls }) => count + objectsOf(calls).length, 0);

const fixed: readonly (readonly [name: string, value: number])[] = [
  ['temperature', 1],
  ['top_p', 0.95],
  ['n', 1],
  ['presence_penalty', 0],
  ['frequency_penalty', 0],
];

const refuseSampling = (body: JsonObject): ApiError | undefined =>
  findFirst(fixed, ([name, value]) =>
    isGiven(body, name, value)
      ? invalidRequest(`invalid ${name}: only ${value} is allowed for this model`, null)
      : undefined,
  );

function refuseKeep(thinking: unknown, model: string): ApiError | undefined {
  const keeps = isObject(thinking) && thinking.keep !== undefined;
  if (!keeps || /^kimi-k(2\.6|2\.7-code|3)/.test(model)) return undefined;
  return invalidRequest('thinking.keep is not supported by this model', null);
}

function refuseInLoop(body: JsonObject): ApiError | undefined {
  if (body.tool_choice === 'required')
    return invalidRequest("tool_choice 'required' is incompatible with thinking enabled", null);
  const index = callWithoutReasoning(body, !newerModels.test(String(body.model)));
  if (index === undefined) return undefined;
  return invalidRequest(
    `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${index}`,
    null,
  );
}
