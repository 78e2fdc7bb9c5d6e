import type { ChatChunk, ChatCompletion, FinishReason } from '@tallyport/wire';
import { truncatedStream, unreadableAnswer } from '../../faults/broken-answer.ts';
import { fold } from '../../fold/fold.ts';
import { createJsonFrames } from '../../json-frames.ts';
import { type AnswerFollower, createOneChoice } from '../../one-choice.ts';
import { isMembers, items, type Members, members, text } from '../../read.ts';
import { namedTier } from '../../service-tier.ts';
import type { StreamTranslator } from '../../spec/provider.ts';
import { faultIn } from '../error.ts';
import { createThoughts } from '../thoughts.ts';
import type { AnswerContext } from '../vendor.ts';
import { failureOf, finishOf } from './answer.ts';
import { createAnswerItems } from './answer-items.ts';
import { faultOfEvent } from './stream.ts';
import { usageOfResponse } from './usage.ts';

/** A whole response as a chat. It is read like a stream with two events for each item, so that both are the same. */
export function responseAsCompletion(body: unknown, context: AnswerContext): ChatCompletion {
  const { vendor } = context;
  if (!isMembers(body)) throw unreadableAnswer(vendor.id, 'The answer is not a JSON object.');
  const fault = failureOf(body, vendor) ?? faultIn(body, vendor);
  if (fault !== undefined) throw fault;
  if (!Array.isArray(body.output)) throw unreadableAnswer(vendor.id, 'The response has no output.');
  const answer = createAnswer(context);
  const events = items(body.output).map((item, index) => ({ type: itemDone, output_index: index, item }));
  const opening = { response: body };
  return fold([...[opening, ...events].flatMap((event) => answer.read(event)), ...answer.end(body)]);
}

const itemDone = 'response.output_item.done';

/** A streamed response as a chat. */
export function createResponseChatStream(context: AnswerContext): StreamTranslator {
  const { vendor } = context;
  const frames = createJsonFrames(vendor.id);
  const answer = createAnswer(context);
  let ended: Members | undefined;
  let tier: unknown;

  function end(response: Members): ChatChunk[] {
    ended = response;
    const fault = failureOf(response, vendor);
    if (fault !== undefined) throw fault;
    return answer.end(response);
  }

  function translate(event: Members): ChatChunk[] {
    const fault = faultOfEvent(event, vendor);
    if (fault !== undefined) throw fault;
    tier = members(event.response).service_tier ?? tier;
    switch (event.type) {
      case 'response.completed':
      case 'response.incomplete':
        return end(members(event.response));
      case 'response.failed':
        return end({ ...members(event.response), status: 'failed' });
      default:
        return answer.read(event);
    }
  }

  return {
    frame(frame) {
      if (ended !== undefined) return [];
      const body = frames.read(frame);
      return body === undefined ? [] : translate({ type: frame.event, ...body });
    },
    end() {
      if (ended === undefined) throw truncatedStream(vendor.id);
      return [];
    },
    finished: () => ended !== undefined,
    done: () => ended !== undefined,
    usage: () => ended && usageOfResponse(ended),
    tier: () => namedTier(tier),
    skipped: frames.skipped,
  };
}

/** The chunks of an answer, by the events of its response. */
function createAnswer(context: AnswerContext) {
  const { vendor, completionId } = context;
  const choice = createOneChoice({ ...context, providerId: vendor.id }, createFollower(context));
  const answered = createAnswerItems({ vendorId: vendor.id, completionId });
  const finishReason = (response: Members): FinishReason =>
    finishOf(response) ?? (answered.called() ? 'tool_calls' : 'stop');
  return {
    read(event: Members): ChatChunk[] {
      const begun = choice.begin(text(members(event.response).model));
      return [...begun, ...answered.read(event).flatMap((delta) => choice.say(delta))];
    },
    end(response: Members): ChatChunk[] {
      const said = answered.rest().flatMap((delta) => choice.say(delta));
      const usage = usageOfResponse(response);
      const last = [...choice.finish(finishReason(response)), ...choice.close(usage)];
      return [...said, ...last.map((chunk) => ({ ...chunk, ...tierOf(response) }))];
    },
  };
}

/** As the vendor names it in the chunks of its chats. */
const tierOf = ({ service_tier: tier }: Members): Record<string, unknown> =>
  text(tier) === undefined ? {} : { service_tier: tier };

/** Remembers the reasoning that led to calls, for clients that do not send it back. */
function createFollower(context: AnswerContext): AnswerFollower | undefined {
  const thoughts = createThoughts(context);
  let firstCall: string | undefined;
  return (
    thoughts && {
      add({ reasoning_details: details, tool_calls: calls }) {
        thoughts.add(undefined, details);
        firstCall ??= calls?.[0]?.id;
      },
      keep: () => thoughts.keep(firstCall),
    }
  );
}
