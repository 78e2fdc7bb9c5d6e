import type { ChatChunk, ChunkDelta, FinishReason, Usage } from '@tallyport/wire';
import { truncatedStream } from '../../faults/broken-answer.ts';
import { createJsonFrames } from '../../json-frames.ts';
import type { OneChoiceContext } from '../../one-choice.ts';
import { items, type Members, members, text } from '../../read.ts';
import type { StreamTranslator } from '../../spec/provider.ts';
import { interactionFinish, imageOf } from './answer.ts';
import { interactionFault } from './error.ts';
import { usageOfInteraction } from './usage.ts';

/** Reads what the gateway counts of a streamed interaction: its texts, its usage, its faults and its end. */
export function createInteractionReader({
  providerId,
  completionId,
  created,
  offer,
}: OneChoiceContext): StreamTranslator {
  const frames = createJsonFrames(providerId);
  const head = { id: completionId, object: 'chat.completion.chunk' as const, created, model: offer.modelName };
  let usage: Usage | undefined;
  let done = false;

  const chunkOf = (delta: ChunkDelta, finish: FinishReason | null = null): ChatChunk => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  });

  function ended(interaction: Members): ChatChunk[] {
    note(interaction);
    const fault = interactionFault(interaction, providerId);
    if (fault !== undefined) throw fault;
    done = true;
    const last = chunkOf({}, interactionFinish(interaction));
    return usage === undefined ? [last] : [last, { ...head, choices: [], usage }];
  }

  /** Some events before the last one have the counts so far. */
  function note(holder: Members): void {
    usage = usageOfInteraction(holder, offer.modelName) ?? usage;
  }

  function read(event: Members): ChatChunk[] {
    const fault = interactionFault(event, providerId);
    if (fault !== undefined) throw fault;
    switch (event.event_type) {
      case 'interaction.completed':
        return ended(members(event.interaction));
      case 'interaction.status_update':
        note(event);
        return [];
      default:
        return deltasIn(event).map((delta) => chunkOf(delta));
    }
  }

  return {
    frame(frame) {
      if (done) return [];
      const body = frames.read(frame);
      return body === undefined ? [] : read({ event_type: frame.event, ...body });
    },
    end() {
      if (!done) throw truncatedStream(providerId);
      return [];
    },
    finished: () => done,
    done: () => done,
    usage: () => usage,
    skipped: frames.skipped,
  };
}

function deltasIn({ event_type: type, step, delta }: Members): ChunkDelta[] {
  if (type === 'step.start') return begunIn(members(step));
  const added = type === 'step.delta' ? members(delta) : {};
  const image = imageOf(added);
  return image === undefined ? saidIn(added) : [{ images: [image] }];
}

/** What a step has from its beginning. */
function begunIn({ type, id, name, arguments: input, content, summary }: Members): ChunkDelta[] {
  if (type === 'function_call') {
    const written = Object.keys(members(input)).length > 0 ? JSON.stringify(input) : '';
    const called = { name: text(name) ?? '', arguments: written };
    return [{ tool_calls: [{ index: 0, id: text(id) ?? '', type: 'function', function: called }] }];
  }
  return [
    ...items(content).flatMap((each) => saidIn(members(each))),
    ...items(summary).flatMap((each) => saidIn({ type: 'thought_summary', content: each })),
  ];
}

/** The text of a delta in a chat's form, to count it. */
function saidIn({ type, text: said, content, arguments: written }: Members): ChunkDelta[] {
  const words = text(type === 'thought_summary' ? members(content).text : type === 'arguments_delta' ? written : said);
  if (words === undefined) return [];
  switch (type) {
    case 'text':
      return [{ content: words }];
    case 'thought_summary':
      return [{ reasoning_content: words }];
    case 'arguments_delta':
      return [{ tool_calls: [{ index: 0, function: { arguments: words } }] }];
    default:
      return [];
  }
}
