import type { Annotation, ChatCompletion, CompletionMessage, FunctionToolCall } from '@tallyport/wire';
import { emptyContent } from '../empty-content.ts';
import { withFunctionCall } from '../conversation/function-form.ts';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import { generatedCallId } from '../generated-call-id.ts';
import type { OneChoiceContext } from '../one-choice.ts';
import { isMembers, items, type Members, members, text } from '../read.ts';
import { answerToolName } from './answer-form.ts';
import { annotationOf } from './citations.ts';
import { claudeDetails } from './details.ts';
import { isError, anthropicFault } from './error.ts';
import { keepThoughts } from './kept-thoughts.ts';
import { anthropicFinishReason } from './stop-reason.ts';
import { anthropicUsage } from './usage.ts';

/** Translates the vendor's answer to the canonical form. */
export function anthropicCompletion(body: unknown, context: OneChoiceContext): ChatCompletion {
  const { providerId, completionId, created, offer } = context;
  if (!isMembers(body)) throw unreadableAnswer(providerId, 'The answer is not a JSON object.');
  if (isError(body)) throw anthropicFault(body, providerId);
  if (!Array.isArray(body.content)) throw unreadableAnswer(providerId, 'The answer has no content.');
  const message = toMessage(body, context);
  keepThoughts(message, context);
  const usage = anthropicUsage(members(body.usage));
  const completion: ChatCompletion = {
    id: completionId,
    object: 'chat.completion',
    created,
    model: text(body.model) ?? offer.modelName,
    choices: [
      {
        index: 0,
        message,
        logprobs: null,
        finish_reason: anthropicFinishReason(body.stop_reason, message.tool_calls !== undefined),
      },
    ],
    ...(usage && { usage }),
  };
  return withFunctionCall(completion, context.call.request);
}

function toMessage(body: Members, { call: asked, offer, completionId }: OneChoiceContext): CompletionMessage {
  const answerName = answerToolName(asked.request, offer.modelName);
  const blocks = items(body.content).filter(isMembers);
  const isAnswer = (block: Members): boolean => block.type === 'tool_use' && block.name === answerName;
  const spoken = blocks.map((block) => (isAnswer(block) ? inputText(block) : spokenIn(block))).join('');
  const thought = blocks.map((block) => (block.type === 'thinking' ? (text(block.thinking) ?? '') : '')).join('');
  const details = blocks.filter(isThought).map(toDetail);
  const annotations = blocks.flatMap(annotationsIn);
  const calls = blocks.filter((block) => block.type === 'tool_use' && !isAnswer(block));
  const rest = {
    refusal: refusalIn(body) ?? null,
    ...(thought !== '' && { reasoning_content: thought }),
    ...(annotations.length > 0 && { annotations }),
    ...(calls.length > 0 && {
      tool_calls: calls.map((call, index) => toToolCall(call, generatedCallId(completionId, index))),
    }),
    ...(details.length > 0 && { reasoning_details: details }),
  };
  return { role: 'assistant', content: spoken === '' ? emptyContent(rest) : spoken, ...rest };
}

const spokenIn = (block: Members): string => (block.type === 'text' ? (text(block.text) ?? '') : '');

/** Normally an object. Input that was cut off and is not valid JSON is passed on as text for the client to judge. */
const inputText = ({ input }: Members): string => text(input) ?? JSON.stringify(members(input));

const isThought = ({ type }: Members): boolean => type === 'thinking' || type === 'redacted_thinking';

function toDetail(block: Members, index: number): unknown {
  if (block.type === 'redacted_thinking') return claudeDetails.encrypted(index, text(block.data) ?? '');
  const said = text(block.thinking);
  const signature = text(block.signature);
  return claudeDetails.text(index, {
    ...(said !== undefined && { text: said }),
    ...(signature !== undefined && { signature }),
  });
}

const annotationsIn = (block: Members): Annotation[] =>
  items(block.citations).flatMap((citation) => annotationOf(members(citation)) ?? []);

const toToolCall = (block: Members, id: string): FunctionToolCall => ({
  id: text(block.id) ?? id,
  type: 'function',
  function: { name: text(block.name) ?? '', arguments: inputText(block) },
});

/** The vendor's explanation of a refusal, if it gives one. */
export const refusalIn = ({ stop_details: details }: Members): string | undefined => text(members(details).explanation);
