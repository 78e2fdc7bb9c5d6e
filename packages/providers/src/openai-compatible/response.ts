import type { Annotation, ChatCompletion, CompletionChoice, CompletionMessage, Logprobs } from '@tallyport/wire';
import { emptyContent } from '../empty-content.ts';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import { annotationsIn, generatedImages, spokenIn } from './content.ts';
import { faultIn } from './error.ts';
import { openAiFinishReason, withToolCalls } from './finish-reason.ts';
import { isMembers, items, type Members, members, finiteNumber, copyOthers, text } from '../read.ts';
import { sourcesIn } from './sources.ts';
import { keepThinking } from './thinking-memory.ts';
import { splitThinking, withSplit } from './think-tags.ts';
import { toolCallsIn } from './tool-calls.ts';
import { usageOfAnswer } from './usage.ts';
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

/** Translates the vendor's answer to the canonical form. Throws an error that has status 200 like any other. */
export function openAiCompletion(body: unknown, context: AnswerContext): ChatCompletion {
  const { vendor, offer, completionId, created } = context;
  if (!isMembers(body)) throw unreadableAnswer(vendor.id, 'The answer is not a JSON object.');
  const fault = faultIn(body, vendor);
  if (fault !== undefined) throw fault;
  const choices = items(body.choices).filter(isMembers);
  if (choices.length === 0) throw unreadableAnswer(vendor.id, 'The answer has no choices.');
  const usage = usageOfAnswer(body, vendor.quirks);
  const sources = vendor.quirks.sources === 'answer' ? sourcesIn(body) : [];
  const completion: ChatCompletion = {
    id: text(body.id) ?? completionId,
    object: 'chat.completion',
    created: Math.trunc(finiteNumber(body.created) ?? created),
    model: text(body.model) ?? offer.modelName,
    choices: choices.map((choice, position) =>
      toChoice(choice, { position, sources: position === 0 ? sources : [] }, context),
    ),
  };
  if (usage !== undefined) completion.usage = usage;
  copyOthers(body, known, completion);
  return completion;
}

interface ChoicePlace {
  position: number;
  /** Sources of the whole answer; they are added to its first choice. */
  sources: readonly Annotation[];
}

function toChoice(choice: Members, { position, sources }: ChoicePlace, context: AnswerContext): CompletionChoice {
  const { vendor } = context;
  const index = finiteNumber(choice.index) ?? position;
  const reason = openAiFinishReason(choice.finish_reason, vendor.quirks);
  if (reason === 'fault') throw unreadableAnswer(vendor.id, `The answer ended with ${String(choice.finish_reason)}.`);
  const message = toMessage(members(choice.message), { index, sources }, context);
  keepThinkingOf(message, context);
  const translated: CompletionChoice = {
    index,
    message,
    logprobs: isLogprobs(choice.logprobs) ? choice.logprobs : null,
    finish_reason: withToolCalls(reason ?? 'stop', message.tool_calls !== undefined),
  };
  copyOthers(choice, knownOfChoice, translated);
  return translated;
}

function keepThinkingOf(message: CompletionMessage, context: AnswerContext): void {
  const { reasoning_content: thinking, reasoning_details: details, tool_calls: calls } = message;
  const rules = context.vendor.quirks.thinkingWithCalls;
  if (rules !== undefined) keepThinking({ callId: calls?.[0]?.id, thinking, details: items(details) }, rules, context);
}

interface MessagePlace extends Pick<ChoicePlace, 'sources'> {
  index: number;
}

function toMessage(message: Members, { index, sources }: MessagePlace, context: AnswerContext): CompletionMessage {
  const spoken = spokenIn(message);
  const tagged = context.vendor.quirks.thinking === 'tags' && spoken.content !== undefined;
  const { content, reasoning } = tagged ? withSplit(spoken, splitThinking(spoken.content ?? '')) : spoken;
  const images = generatedImages(message);
  const annotations = [...(annotationsIn(message) ?? []), ...sources];
  const calls = toolCallsIn(message, { completionId: context.completionId, choice: index });
  const translated: CompletionMessage = {
    role: 'assistant',
    content: content ?? null,
    refusal: text(message.refusal) ?? null,
  };
  if (reasoning !== undefined) translated.reasoning_content = reasoning;
  if (images !== undefined) translated.images = images;
  if (annotations.length > 0) translated.annotations = annotations;
  if (calls !== undefined) translated.tool_calls = calls;
  copyOthers(message, knownOfMessage, translated);
  if (content === undefined) translated.content = emptyContent(translated);
  return translated;
}

export const isLogprobs = (value: unknown): value is Logprobs =>
  isMembers(value) && ('content' in value || 'refusal' in value);
