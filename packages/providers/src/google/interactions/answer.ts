import type { ChatCompletion, CompletionMessage, FinishReason, ToolCall } from '@tallyport/wire';
import { dataUrl } from '../../conversation/data-url.ts';
import { unreadableAnswer } from '../../faults/broken-answer.ts';
import type { OneChoiceContext } from '../../one-choice.ts';
import { isMembers, items, type Members, members, text } from '../../read.ts';
import { interactionFault } from './error.ts';
import { usageOfInteraction } from './usage.ts';

/** What the gateway counts of a whole interaction. Throws the error of one that failed. */
export function interactionCompletion(body: unknown, context: OneChoiceContext): ChatCompletion {
  const { providerId, completionId, created, offer } = context;
  if (!isMembers(body)) throw unreadableAnswer(providerId, 'The answer is not a JSON object.');
  const fault = interactionFault(body, providerId);
  if (fault !== undefined) throw fault;
  if (!Array.isArray(body.steps)) throw unreadableAnswer(providerId, 'The interaction has no steps.');
  const message = messageOf(body.steps.map(members));
  const usage = usageOfInteraction(body, offer.modelName);
  return {
    id: completionId,
    object: 'chat.completion',
    created,
    model: text(body.model) ?? offer.modelName,
    choices: [{ index: 0, message, logprobs: null, finish_reason: interactionFinish(body) }],
    ...(usage && { usage }),
  };
}

function messageOf(steps: readonly Members[]): CompletionMessage {
  const textsOf = (type: string, list: string): string =>
    steps
      .filter((step) => step.type === type)
      .flatMap((step) => items(step[list]).map((content) => text(members(content).text) ?? ''))
      .join('');
  const calls = steps.flatMap(callOf);
  const images = steps
    .filter(({ type }) => type === 'model_output')
    .flatMap(({ content }) => items(content).flatMap((each) => imageOf(members(each)) ?? []));
  return {
    role: 'assistant',
    content: textsOf('model_output', 'content'),
    refusal: null,
    reasoning_content: textsOf('thought', 'summary'),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(images.length > 0 && { images: images.map((image, index) => ({ ...image, index })) }),
  };
}

function callOf({ type, id, name, arguments: input }: Members): ToolCall[] {
  if (type !== 'function_call') return [];
  const called = { name: text(name) ?? '', arguments: JSON.stringify(input ?? {}) };
  return [{ id: text(id) ?? '', type: 'function', function: called }];
}

/** Images are billed, also where only their tokens are. */
export function imageOf({ type, mime_type: mediaType, data }: Members) {
  const bytes = text(data);
  if (type !== 'image' || bytes === undefined) return undefined;
  const url = dataUrl({ mediaType: text(mediaType) ?? 'image/png', data: bytes });
  return { type: 'image_url' as const, image_url: { url } };
}

/** Why an interaction ended. */
export function interactionFinish({ status }: Members): FinishReason {
  if (status === 'requires_action') return 'tool_calls';
  return cut.has(status) ? 'length' : 'stop';
}

const cut: ReadonlySet<unknown> = new Set(['incomplete', 'budget_exceeded', 'requires_continuation']);
