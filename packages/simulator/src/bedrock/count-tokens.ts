import {
  type ArrivedRequest,
  isObject,
  type JsonObject,
  jsonOf,
  jsonReply,
  promptTokenCount,
  type RouteAnswer,
  spentTokens,
} from '@tallyport/sandbox';
import { messageTokens } from '../anthropic/count-tokens.ts';
import { claudeName, findClaudeFault } from './claude-strictness.ts';
import { bedrockErrorReply, type BedrockFinding, bedrockInvalid, requestId } from './errors.ts';
import { findInvokeFault } from './invoke-claude.ts';
import { readConverseQuestion } from './question.ts';
import { findConverseFault } from './strictness.ts';

/** `CountTokens`: the input tokens that the same request would be billed. It knows models only, and no profiles. */
export function answerCountTokens({ path, body: bytes }: ArrivedRequest): RouteAnswer {
  const model = decodeURIComponent(path.split('/')[3] ?? '');
  const refused = (fault: NonNullable<BedrockFinding>) => ({ model, answer: bedrockErrorReply(fault) });
  if (!/^anthropic\.claude-(?!v\d|instant)/.test(model))
    return refused(bedrockInvalid("The provided model doesn't support counting tokens."));
  const body = jsonOf(bytes.toString());
  const input = isObject(body) && isObject(body.input) ? body.input : {};
  const counted = countOf(input, model);
  if (typeof counted !== 'number') return refused(counted);
  return { model, answer: jsonReply(200, { inputTokens: counted }, { 'x-amzn-requestid': requestId }) };
}

function countOf({ converse, invokeModel }: JsonObject, model: string): number | NonNullable<BedrockFinding> {
  if (isObject(converse)) {
    const fault = findConverseFault(converse) ?? findClaudeFault(converse, model);
    const question = readConverseQuestion(converse, { model, stream: false });
    return fault ?? promptTokenCount(spentTokens(question, []));
  }
  const sent = isObject(invokeModel) ? jsonOf(Buffer.from(String(invokeModel.body), 'base64').toString()) : undefined;
  if (!isObject(sent)) return bedrockInvalid('Member must have one of converse and invokeModel.');
  return findInvokeFault(sent, claudeName(model)) ?? messageTokens(sent);
}
