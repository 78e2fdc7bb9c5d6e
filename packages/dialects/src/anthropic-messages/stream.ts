import { messagesErrorBody } from '@tallyport/contracts';
import type { ChatChunk, ChunkDelta, FinishReason, Usage } from '@tallyport/wire';
import type { DialectEvent, DialectStream } from '../dialect.ts';
import { type AnswerIdentity, emptyAnswer, toCitation } from './answer.ts';
import type { MessagesEvent } from './answer-types.ts';
import { createBlockWriter } from './block-writer.ts';
import { toDeltaUsage, toMessagesUsage } from './message-usage.ts';
import type { BlockPiece } from './open-block.ts';
import { toAnswerEnd } from './stop-reason.ts';
import { thoughtPieces } from './thoughts.ts';

/** The events of one answer. The first chunk begins the message, so that what fails before it can still be an HTTP error. */
export function createMessagesStream(identity: AnswerIdentity, promptTokens = (): number => 0): DialectStream {
  const blocks = createBlockWriter();
  let begun = false;
  let finishReason: FinishReason | null = null;
  let refusal = '';
  let usage: Usage | undefined;

  function begin(chunk?: ChatChunk): MessagesEvent[] {
    if (begun) return [];
    begun = true;
    const message = emptyAnswer(identity);
    const counted = { ...toMessagesUsage(undefined, chunk?.service_tier), input_tokens: promptTokens() };
    return [{ type: 'message_start', message: { ...message, usage: counted } }];
  }

  function read(chunk: ChatChunk): void {
    usage = chunk.usage ?? usage;
    const choice = chunk.choices[0];
    if (choice === undefined) return;
    finishReason = choice.finish_reason ?? finishReason;
    refusal += choice.delta.refusal ?? '';
    for (const piece of piecesOf(choice.delta)) blocks.write(piece);
  }

  function close(): MessagesEvent[] {
    // As in a plain answer: a refusal is the text where nothing else is.
    if (!blocks.begun() && refusal !== '') blocks.write({ kind: 'text', text: refusal });
    blocks.close();
    const delta = toAnswerEnd({ finishReason, called: blocks.called(), refusal });
    return [...blocks.take(), { type: 'message_delta', delta, usage: toDeltaUsage(usage) }, { type: 'message_stop' }];
  }

  return {
    chunk(chunk) {
      const start = begin(chunk);
      read(chunk);
      return [...start, ...blocks.take()].map(toDialectEvent);
    },
    end: () => [...begin(), ...close()].map(toDialectEvent),
    fail: (error) => [{ event: 'error', data: messagesErrorBody(error) }],
    // Before the message there is nothing to keep open for a client: its events are read in order.
    ping: () => (begun ? [{ event: 'ping', data: { type: 'ping' } }] : []),
  };
}

/** Clients skip events without a name. */
const toDialectEvent = (event: MessagesEvent): DialectEvent => ({ event: event.type, data: event });

/** Thinking, text and calls in the order in which a vendor writes them. */
function piecesOf(delta: ChunkDelta): BlockPiece[] {
  const { content, annotations, tool_calls } = delta;
  return [
    ...thinkingOf(delta),
    ...(content ? [{ kind: 'text' as const, text: content }] : []),
    ...(annotations ?? []).map((annotation) => ({ kind: 'citation' as const, citation: toCitation(annotation) })),
    ...(tool_calls ?? []).map(({ index, id, function: called }) => ({
      kind: 'call' as const,
      index,
      id,
      name: called?.name,
      input: called?.arguments ?? '',
    })),
  ];
}

function thinkingOf({ reasoning_content: thought = '', reasoning_details }: ChunkDelta): BlockPiece[] {
  const pieces = thoughtPieces(reasoning_details).map((piece): BlockPiece =>
    piece.kind === 'redacted'
      ? { kind: 'redacted', data: piece.data }
      : { kind: 'thought', index: piece.index, text: piece.text ?? '', signature: piece.signature ?? '' },
  );
  const isKnown = thought === '' || pieces.some((piece) => piece.kind === 'thought' && piece.text !== '');
  return isKnown ? pieces : [{ kind: 'thought', index: undefined, text: thought, signature: '' }, ...pieces];
}
