import type { ChatCompletion, CompletionMessage, FinishReason, ToolCall } from '@tallyport/wire';
import { unreadableAnswer } from '../../faults/broken-answer.ts';
import { faultIn, openAiFault } from '../error.ts';
import type { OpenAiVendor } from '../vendor.ts';
import type { TranslationContext } from '../../spec/provider.ts';
import { finiteNumber, isMembers, items, type Members, members, text } from '../../read.ts';
import { usageOfResponse } from './usage.ts';

/** What the gateway counts of a whole response. Throws the error of one that failed. */
export function readResponse(
  body: unknown,
  vendor: OpenAiVendor,
  { completionId, created, offer }: TranslationContext,
): ChatCompletion {
  if (!isMembers(body)) throw unreadableAnswer(vendor.id, 'The answer is not a JSON object.');
  const fault = failureOf(body, vendor) ?? faultIn(body, vendor);
  if (fault !== undefined) throw fault;
  if (!Array.isArray(body.output)) throw unreadableAnswer(vendor.id, 'The response has no output.');
  const message = messageOf(items(body.output).map(members));
  const usage = usageOfResponse(body);
  const finish = finishOf(body) ?? (message.tool_calls === undefined ? 'stop' : 'tool_calls');
  return {
    id: text(body.id) ?? completionId,
    object: 'chat.completion',
    created: Math.trunc(finiteNumber(body.created_at) ?? created),
    model: text(body.model) ?? offer.modelName,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
    ...(usage && { usage }),
  };
}

function messageOf(output: readonly Members[]): CompletionMessage {
  const texts = (type: string, list: string, name = 'text'): string =>
    output
      .filter((item) => item.type === type)
      .flatMap((item) => items(item[list]).map((part) => text(members(part)[name]) ?? ''))
      .join('');
  const calls = output.flatMap(callOf);
  return {
    role: 'assistant',
    content: texts('message', 'content'),
    refusal: texts('message', 'content', 'refusal') || null,
    reasoning_content: texts('reasoning', 'summary') + texts('reasoning', 'content'),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** The error of a response that ended with one. */
export const failureOf = ({ status, error }: Members, vendor: OpenAiVendor) =>
  status === 'failed' ? openAiFault(isMembers(error) ? error : { message: 'The response failed.' }, vendor) : undefined;

/** Why a response is incomplete; `undefined` if it is complete. */
export function finishOf({ status, incomplete_details: details }: Members): FinishReason | undefined {
  if (status !== 'incomplete') return undefined;
  return members(details).reason === 'content_filter' ? 'content_filter' : 'length';
}

function callOf({ type, call_id: id, name, arguments: input, input: custom }: Members): ToolCall[] {
  if (type !== 'function_call' && type !== 'custom_tool_call') return [];
  const call = { name: text(name) ?? '', arguments: text(input) ?? text(custom) ?? '' };
  return [{ id: text(id) ?? '', type: 'function', function: call }];
}
