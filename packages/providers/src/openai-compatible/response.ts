import type { ChatCompletion, CompletionChoice, CompletionMessage, Logprobs } from '@switchyard/wire';
import { contentOfNone } from '../content-of-none.ts';
import { annotationsIn, imagesIn, spokenIn } from './content.ts';
import { faultIn, unreadable } from './error.ts';
import { finishReasonOf, withToolCalls } from './finish-reason.ts';
import { isMembers, list, type Members, members, number, others, text } from './read.ts';
import { toolCallsIn } from './tool-calls.ts';
import { usageOf } from './usage.ts';
import type { AnswerContext } from './vendor.ts';

const known = new Set(['id', 'object', 'created', 'model', 'choices', 'usage', 'error', 'metadata']);
const knownOfChoice = new Set(['index', 'message', 'logprobs', 'finish_reason', 'usage', 'error']);
const knownOfMessage = new Set([
  'role',
  'content',
  'refusal',
  'reasoning_content',
  'reasoning',
  'images',
  'annotations',
  'tool_calls',
]);

/** The vendor's answer in the canonical form. An error inside a good status is thrown like any other. */
export function toCompletion(body: unknown, context: AnswerContext): ChatCompletion {
  const { vendor, offer, completionId, created } = context;
  if (!isMembers(body)) throw unreadable(vendor, 'The answer is not a JSON object.');
  const fault = faultIn(body, vendor);
  if (fault !== undefined) throw fault;
  const choices = list(body.choices).filter(isMembers);
  if (choices.length === 0) throw unreadable(vendor, 'The answer has no choices.');
  const usage = usageOf(body, vendor.quirks);
  return {
    id: text(body.id) ?? completionId,
    object: 'chat.completion',
    created: Math.trunc(number(body.created) ?? created),
    model: text(body.model) ?? offer.modelName,
    choices: choices.map((choice, index) => toChoice(choice, index, context)),
    ...(usage && { usage }),
    ...others(body, known),
  };
}

function toChoice(choice: Members, position: number, context: AnswerContext): CompletionChoice {
  const { vendor } = context;
  const index = number(choice.index) ?? position;
  const reason = finishReasonOf(choice.finish_reason, vendor.quirks);
  if (reason === 'fault') throw unreadable(vendor, `The answer ended with ${String(choice.finish_reason)}.`);
  const message = toMessage(members(choice.message), { completionId: context.completionId, choice: index });
  return {
    index,
    message,
    logprobs: isLogprobs(choice.logprobs) ? choice.logprobs : null,
    finish_reason: withToolCalls(reason ?? 'stop', message.tool_calls !== undefined),
    ...others(choice, knownOfChoice),
  };
}

function toMessage(message: Members, place: { completionId: string; choice: number }): CompletionMessage {
  const { content, reasoning } = spokenIn(message);
  const images = imagesIn(message);
  const annotations = annotationsIn(message);
  const calls = toolCallsIn(message, place);
  const rest = {
    refusal: text(message.refusal) ?? null,
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...(images && { images }),
    ...(annotations && { annotations }),
    ...(calls && { tool_calls: calls }),
    ...others(message, knownOfMessage),
  };
  return { role: 'assistant', content: content ?? contentOfNone(rest), ...rest };
}

export const isLogprobs = (value: unknown): value is Logprobs =>
  isMembers(value) && ('content' in value || 'refusal' in value);
