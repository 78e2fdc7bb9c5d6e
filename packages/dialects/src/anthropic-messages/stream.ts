import { messagesErrorBody } from '@tallyport/contracts';
import type { ChatChunk, FinishReason, Usage } from '@tallyport/wire';
import type { DialectEvent, DialectStream } from '../dialect.ts';
import { type AnswerIdentity, emptyAnswer } from './answer.ts';
import type { MessagesEvent } from './answer-types.ts';
import { createBlockWriter } from './block-writer.ts';
import { toDeltaUsage, toMessagesUsage } from './message-usage.ts';
import { piecesOf } from './answer-pieces.ts';
import { stopTextOf, toAnswerEnd } from './stop-reason.ts';

/** The events of one answer. The first chunk begins the message, so that what fails before it can still be an HTTP error. */
export function createMessagesStream(identity: AnswerIdentity, promptTokens = (): number => 0): DialectStream {
  const blocks = createBlockWriter();
  let begun = false;
  let finishReason: FinishReason | null = null;
  let stopText: string | undefined;
  let refusal = '';
  let usage: Usage | undefined;

  function begin(chunk?: ChatChunk): MessagesEvent[] {
    if (begun) return [];
    begun = true;
    const message = emptyAnswer(identity, chunk?.model);
    const counted = { ...toMessagesUsage(undefined, chunk?.service_tier), input_tokens: promptTokens() };
    return [{ type: 'message_start', message: { ...message, usage: counted } }];
  }

  function read(chunk: ChatChunk): void {
    usage = chunk.usage ?? usage;
    const choice = chunk.choices[0];
    if (choice === undefined) return;
    finishReason = choice.finish_reason ?? finishReason;
    stopText = stopTextOf(choice) ?? stopText;
    refusal += choice.delta.refusal ?? '';
    for (const piece of piecesOf(choice.delta)) blocks.write(piece);
  }

  function close(): MessagesEvent[] {
    // As in a plain answer: a refusal is the text where nothing else is.
    if (!blocks.begun() && refusal !== '') blocks.write({ kind: 'text', text: refusal });
    blocks.close();
    const delta = toAnswerEnd({ finishReason, called: blocks.called(), refusal, stopText });
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
