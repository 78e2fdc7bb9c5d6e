import type { GatewayError } from '@tallyport/contracts';
import type { ChatChunk, ChunkDelta, FinishReason, Usage } from '@tallyport/wire';
import { truncatedStream } from '../../faults/broken-answer.ts';
import { createJsonFrames } from '../../json-frames.ts';
import { faultIn, openAiFault } from '../error.ts';
import type { OpenAiVendor } from '../vendor.ts';
import type { StreamTranslator, TranslationContext } from '../../spec/provider.ts';
import { type Members, members, text } from '../../read.ts';
import { failureOf, finishOf } from './answer.ts';
import { usageOfResponse } from './usage.ts';

/** Reads what the gateway counts of a streamed response: its texts, its usage, its faults and its end. */
export function createResponsesReader(vendor: OpenAiVendor, context: TranslationContext): StreamTranslator {
  const frames = createJsonFrames(vendor.id);
  const { completionId: id, created, offer } = context;
  const head = { id, object: 'chat.completion.chunk' as const, created, model: offer.modelName };
  let usage: Usage | undefined;
  let done = false;

  const chunkOf = (delta: ChunkDelta, finish: FinishReason | null = null): ChatChunk => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  });

  function ended(response: Members): ChatChunk[] {
    usage = usageOfResponse(response) ?? usage;
    const fault = failureOf(response, vendor);
    if (fault !== undefined) throw fault;
    done = true;
    const last = chunkOf({}, finishOf(response) ?? 'stop');
    return usage === undefined ? [last] : [last, { ...head, choices: [], usage }];
  }

  function read(event: Members): ChatChunk[] {
    const fault = faultOfEvent(event, vendor);
    if (fault !== undefined) throw fault;
    switch (event.type) {
      case 'response.completed':
      case 'response.incomplete':
        return ended(members(event.response));
      case 'response.failed':
        return ended({ ...members(event.response), status: 'failed' });
      default: {
        const delta = deltaOf(event);
        return delta === undefined ? [] : [chunkOf(delta)];
      }
    }
  }

  return {
    frame(frame) {
      if (done) return [];
      const body = frames.read(frame);
      return body === undefined ? [] : read({ type: frame.event, ...body });
    },
    end() {
      if (!done) throw truncatedStream(vendor.id);
      return [];
    },
    finished: () => done,
    done: () => done,
    usage: () => usage,
    skipped: frames.skipped,
  };
}

/** An event that reports an error in place of the response. */
export function faultOfEvent(event: Members, vendor: OpenAiVendor): GatewayError | undefined {
  return event.type === 'error' ? openAiFault(event, vendor) : faultIn(event, vendor);
}

/** The text of an event in a chat's form, to count it. */
function deltaOf({ type, delta }: Members): ChunkDelta | undefined {
  const said = text(delta);
  if (said === undefined) return undefined;
  switch (type) {
    case 'response.output_text.delta':
      return { content: said };
    case 'response.refusal.delta':
      return { refusal: said };
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      return { reasoning_content: said };
    default:
      return { tool_calls: [{ index: 0, function: { arguments: said } }] };
  }
}
