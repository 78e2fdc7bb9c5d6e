import type { Offer } from '@tallyport/contracts';
import type { ChatCompletion, CompletionMessage, ToolCall } from '@tallyport/wire';
import { keepThoughts } from '../anthropic/kept-thoughts.ts';
import { emptyContent } from '../empty-content.ts';
import { withFunctionCall } from '../conversation/function-form.ts';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import { generatedCallId } from '../generated-call-id.ts';
import type { OneChoiceContext } from '../one-choice.ts';
import { isMembers, items, type Members, members, text } from '../read.ts';
import { ANSWER_TOOL, answerFormOf } from './answer-form.ts';
import { thoughtDelta } from './reasoning.ts';
import { bedrockFinishReason } from './stop-reason.ts';
import { bedrockUsage } from './usage.ts';

/** Translates the vendor's answer to the canonical form. The answer has no id, time or model. */
export function bedrockCompletion(body: unknown, context: OneChoiceContext): ChatCompletion {
  const { providerId, offer, completionId, created } = context;
  const answer = members(members(body).output).message;
  if (!isMembers(body) || !isMembers(answer)) throw unreadableAnswer(providerId, 'The answer has no message.');
  const message = messageOf(items(answer.content).filter(isMembers), context);
  keepThoughts(message, context);
  const usage = bedrockUsage(body);
  const completion: ChatCompletion = {
    id: completionId,
    object: 'chat.completion',
    created,
    model: offer.modelName,
    choices: [
      {
        index: 0,
        message,
        logprobs: null,
        finish_reason: bedrockFinishReason(body.stopReason, message.tool_calls !== undefined),
      },
    ],
    ...(usage && { usage }),
  };
  return withFunctionCall(completion, context.call.request);
}

function messageOf(blocks: readonly Members[], { call, offer, completionId }: OneChoiceContext): CompletionMessage {
  const isAnswer = (use: Members): boolean =>
    use.name === ANSWER_TOOL && answerFormOf(call.request, offer).kind === 'tool';
  const uses = blocks.flatMap(({ toolUse }) => (isMembers(toolUse) ? [toolUse] : []));
  const calls = uses
    .filter((use) => !isAnswer(use))
    .map((use, index) => toolCall(use, generatedCallId(completionId, index)));
  const content = blocks
    .map((block) => {
      const use = members(block.toolUse);
      return isAnswer(use) ? inputText(use) : (text(block.text) ?? '');
    })
    .join('');
  const rest = { refusal: null, ...reasoningOf(blocks, offer), ...(calls.length > 0 && { tool_calls: calls }) };
  return { role: 'assistant', content: content === '' ? emptyContent(rest) : content, ...rest };
}

const toolCall = ({ toolUseId, name, input }: Members, madeUpId: string): ToolCall => ({
  id: text(toolUseId) ?? madeUpId,
  type: 'function',
  function: { name: text(name) ?? '', arguments: inputText({ input }) },
});

/** Normally an object. Input that was cut off and is not valid JSON is passed on as text for the client to judge. */
const inputText = ({ input }: Members): string => text(input) ?? JSON.stringify(members(input));

/** Blocks are numbered as in the stream, so that both forms return the same details. */
function reasoningOf(blocks: readonly Members[], offer: Offer): Partial<CompletionMessage> {
  const deltas = blocks.map(({ reasoningContent }, index) => {
    const { reasoningText, redactedContent } = members(reasoningContent);
    return thoughtDelta({ ...members(reasoningText), redactedContent }, { offer, index });
  });
  const said = deltas.map((thought) => thought?.reasoning_content ?? '').join('');
  const details = deltas.flatMap((thought) => items(thought?.reasoning_details));
  return { ...(said !== '' && { reasoning_content: said }), ...(details.length > 0 && { reasoning_details: details }) };
}
