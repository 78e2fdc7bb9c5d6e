import type { Offer } from '@switchyard/contracts';
import type { ChatCompletion, CompletionMessage, ToolCall } from '@switchyard/wire';
import { contentOfNone } from '../content-of-none.ts';
import { unreadableAnswer } from '../faults/broken-answer.ts';
import { madeUpCallId } from '../made-up-call-id.ts';
import type { OneChoiceContext } from '../one-choice.ts';
import { isMembers, items, type Members, members, text } from '../read.ts';
import { ANSWER_TOOL, answerFormOf } from './answer-form.ts';
import { thoughtDelta } from './reasoning.ts';
import { bedrockFinishReason } from './stop-reason.ts';
import { bedrockUsage } from './usage.ts';

/** The vendor's answer in the canonical form. It tells neither id nor time nor model. */
export function bedrockCompletion(body: unknown, context: OneChoiceContext): ChatCompletion {
  const { providerId, offer, completionId, created } = context;
  const answer = members(members(body).output).message;
  if (!isMembers(body) || !isMembers(answer)) throw unreadableAnswer(providerId, 'The answer has no message.');
  const message = messageOf(items(answer.content).filter(isMembers), context);
  const usage = bedrockUsage(body);
  return {
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
}

function messageOf(blocks: readonly Members[], { call, offer, completionId }: OneChoiceContext): CompletionMessage {
  const isAnswer = (use: Members): boolean =>
    use.name === ANSWER_TOOL && answerFormOf(call.request, offer).kind === 'tool';
  const uses = blocks.flatMap(({ toolUse }) => (isMembers(toolUse) ? [toolUse] : []));
  const calls = uses
    .filter((use) => !isAnswer(use))
    .map((use, index) => toolCall(use, madeUpCallId(completionId, index)));
  const content = blocks
    .map((block) => {
      const use = members(block.toolUse);
      return isAnswer(use) ? inputText(use) : (text(block.text) ?? '');
    })
    .join('');
  const rest = { refusal: null, ...reasoningOf(blocks, offer), ...(calls.length > 0 && { tool_calls: calls }) };
  return { role: 'assistant', content: content === '' ? contentOfNone(rest) : content, ...rest };
}

const toolCall = ({ toolUseId, name, input }: Members, madeUpId: string): ToolCall => ({
  id: text(toolUseId) ?? madeUpId,
  type: 'function',
  function: { name: text(name) ?? '', arguments: inputText({ input }) },
});

/** An object, as a rule. What broke off and could not be one is the client's to judge. */
const inputText = ({ input }: Members): string => text(input) ?? JSON.stringify(members(input));

/** Blocks are counted as in the stream, so that both tell the same. */
function reasoningOf(blocks: readonly Members[], offer: Offer): Partial<CompletionMessage> {
  const told = blocks.map(({ reasoningContent }, index) => {
    const { reasoningText, redactedContent } = members(reasoningContent);
    return thoughtDelta({ ...members(reasoningText), redactedContent }, { offer, index });
  });
  const said = told.map((thought) => thought?.reasoning_content ?? '').join('');
  const details = told.flatMap((thought) => items(thought?.reasoning_details));
  return { ...(said !== '' && { reasoning_content: said }), ...(details.length > 0 && { reasoning_details: details }) };
}
