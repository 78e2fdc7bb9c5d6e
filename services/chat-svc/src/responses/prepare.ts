import type { ExchangeHandler } from '@tallyport/bus';
import { conversationIdOf } from '@tallyport/dialects';
import type { ChatChunk } from '@tallyport/wire';
import { eventWriter } from '../dialects/event-writer.ts';
import { type DialectTools, readRequest } from '../dialects/speak-dialect.ts';
import { inOwnWords } from '../dialects/own-words.ts';
import type { SpokenCall, SpokenDialect } from '../dialects/spoken-dialect.ts';
import { cannotPrepareTurn } from './refusals.ts';
import { z } from 'zod';

/**
 * `generate: false` on a socket: a response without output that a later request continues, so that its client sends what
 * both have in common before it knows the rest. No provider is called, and nothing is paid for.
 */
export const preparing =
  (dialect: SpokenDialect, tools: DialectTools, generate: ExchangeHandler): ExchangeHandler =>
  async (exchange) => {
    if (exchange.head.socket?.prepares !== true) return generate(exchange);
    const request = await readRequest(exchange, tools);
    const words = { memberNames: dialect.memberNames, body: request.body };
    return inOwnWords(prepared(), words);

    async function prepared() {
      // It would be added without an answer, and no later request could continue it.
      if (conversationIdOf(request.body) !== undefined) throw cannotPrepareTurn();
      const call = await dialect.read({ ...request, standIns: undefined }, exchange);
      refuseWrong(call, request.body);
      const stream = call.stream();
      const events = [...stream.chunk(nothing), ...(await stream.end())];
      const writer = eventWriter('events');
      const body = writer.events(events.map(({ event, data }) => ({ event, json: JSON.stringify(data) })));
      return { head: { status: 200, headers: { 'content-type': writer.contentType } }, body };
    }
  };

const nothing: ChatChunk = {
  id: '',
  object: 'chat.completion.chunk',
  created: 0,
  model: '',
  choices: [],
  usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
};

/** What only some vendors understand is refused when a model is to read it. Codex begins without input. */
function refuseWrong({ untranslatable }: Pick<SpokenCall, 'untranslatable'>, body: unknown): void {
  const { data } = withoutInput.safeParse(body);
  if (data === undefined && untranslatable?.code === 'invalid_parameters') throw untranslatable;
}

const withoutInput = z.object({ input: z.tuple([]) });
