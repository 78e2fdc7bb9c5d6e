import { isObject, type JsonObject, jsonReply, promptTokenCount, type Reply, spentTokens } from '@tallyport/sandbox';
import { anthropicErrorReply, anthropicInvalid, type AnthropicFinding } from './errors.ts';
import { readAnthropicQuestion } from './question.ts';
import { type AnthropicHeaders, findAnthropicFault } from './strictness.ts';

/** The members of a request for a message that its tokens do not depend on. */
const answerMembers = [
  'container',
  'inference_geo',
  'max_tokens',
  'metadata',
  'service_tier',
  'stop_sequences',
  'stream',
  'temperature',
  'top_k',
  'top_p',
];

/** `POST /v1/messages/count_tokens`: the tokens that the same message would be billed. */
export function countMessageTokens(body: JsonObject, headers: AnthropicHeaders): Reply {
  const fault = checkNames(body) ?? findAnthropicFault(withLimit(body), headers);
  return fault ? anthropicErrorReply(fault) : jsonReply(200, { input_tokens: messageTokens(body) });
}

export const messageTokens = (body: JsonObject): number =>
  promptTokenCount(spentTokens(readAnthropicQuestion(body), []));

function checkNames(body: JsonObject): AnthropicFinding {
  const unknown = answerMembers.find((name) => body[name] !== undefined);
  return unknown === undefined ? undefined : anthropicInvalid(`${unknown}: Extra inputs are not permitted`);
}

/** A limit that leaves room for thinking, for the checks of a message. */
export const withLimit = (body: JsonObject): JsonObject => {
  const budget = isObject(body.thinking) ? Number(body.thinking.budget_tokens ?? 0) : 0;
  return { ...body, max_tokens: budget + 1 };
};
