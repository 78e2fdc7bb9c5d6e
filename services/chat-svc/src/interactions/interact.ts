import { GatewayError } from '@tallyport/contracts';
import {
  type DialectRequest,
  geminiInteractions,
  inClientWords,
  type InteractionCall,
  type InteractionIdentity,
  type InteractionStream,
  type PassedInteraction,
  previousInteractionOf,
  resumesAnswer,
} from '@tallyport/dialects';
import type { GuardedExchange } from '@tallyport/serving';
import type { SpokenCall, SpokenDialect, SpokenPassedAnswer, SpokenStream } from '../dialects/spoken-dialect.ts';
import { continueConversation, type StoredConversation } from '../responses/conversation.ts';
import { guardStored } from '../responses/guard-stored.ts';
import { recordBlocked, responseOwnerOf, type ResponseTools } from '../responses/respond.ts';
import { interactionRecord, storedSteps } from './interaction-record.ts';
import { notStored } from '../responses/refusals.ts';
import { cannotContinueInteraction, previousInteractionNotFound } from './refusals.ts';

export interface InteractionTools extends Pick<
  ResponseTools,
  'budget' | 'guardrails' | 'maxBodyBytes' | 'metering' | 'storingEvents'
> {
  /** `undefined` if this gateway stores no interactions. */
  storedInteractions: ResponseTools['stored'];
  /** The largest interaction that is stored. */
  maxInteractionBytes: number;
  /** Of an interaction that is made in the background. */
  identity?: InteractionIdentity;
}

/** `POST /v1beta/interactions`: continues stored interactions, and stores its own before the client has all of it. */
export const storingInteractions = (tools: InteractionTools, defer?: SpokenDialect['defer']): SpokenDialect => ({
  ...(defer && { defer }),
  name: geminiInteractions.name,
  errors: geminiInteractions.errors,
  memberNames: geminiInteractions.memberNames,
  async read(request, exchange) {
    const { call, conversation, storedBytes } = await readContinuedInteraction(request, exchange, tools);
    const { storedInteractions: stored, identity } = tools;
    if (stored === undefined || !call.store) return { ...call, storedBytes };
    // Without its steps, which need not stay in memory until the answer ends.
    const previous = conversation && { id: conversation.last.id, head: conversation.last.head };
    const keep: Keep = async (interaction) => {
      // A background interaction that another replica has taken over is stored there.
      if (identity !== undefined) exchange.signal.throwIfAborted();
      const record = interaction && interactionRecord({ id: call.id, interaction, input: call.input });
      const owner = responseOwnerOf(exchange.head);
      const result = record === undefined ? 'too_large' : await stored.keep(owner, { ...record, previous });
      tools.storingEvents.ended(result);
      if (identity !== undefined && result !== 'stored') throw notStored();
    };
    return { ...storedCall(call, keep), storedBytes };
  },
});

interface ContinuedCall {
  call: InteractionCall;
  conversation: StoredConversation | undefined;
  storedBytes: number | undefined;
}

/** A request with the conversation that it continues in front of its input. */
export async function readContinuedInteraction(
  request: DialectRequest,
  exchange: GuardedExchange,
  tools: InteractionTools,
): Promise<ContinuedCall> {
  const conversation = await recordBlocked(earlierOf(request, exchange, tools), { request, exchange }, tools);
  const { storedInteractions: stored, maxInteractionBytes, identity } = tools;
  const { input, output } = conversation ?? { input: [], output: [] };
  const earlier = storedSteps(resumesAnswer(request.body) ? input : [...input, ...output]);
  const call = geminiInteractions.read(request, { earlier, keptBytes: stored && maxInteractionBytes, identity });
  return { call, conversation, storedBytes: earlier.length > 0 ? JSON.stringify(call.chat).length : undefined };
}

/** The conversation that a request continues. */
async function earlierOf(
  { body }: DialectRequest,
  exchange: GuardedExchange,
  { storedInteractions: stored, guardrails, ...bounds }: InteractionTools,
): Promise<StoredConversation | undefined> {
  const id = previousInteractionOf(body);
  if (id === undefined) return undefined;
  if (stored === undefined) throw cannotContinueInteraction();
  const owner = responseOwnerOf(exchange.head);
  try {
    return await continueConversation({ owner, id }, { ...bounds, stored, guard: guardStored(guardrails, exchange) });
  } catch (thrown) {
    throw thrown instanceof GatewayError ? inOwnWords(thrown, id, body) : thrown;
  }
}

const inOwnWords = (error: GatewayError, id: string, body: unknown): GatewayError =>
  error.code === 'previous_response_not_found'
    ? previousInteractionNotFound(id)
    : inClientWords(error, geminiInteractions.memberNames, body);

/** `undefined` for one that is too large. */
type Keep = (interaction: Readonly<Record<string, unknown>> | undefined) => Promise<void>;

/** A client may continue an interaction as soon as it has its end, so that is sent once the interaction is stored. */
const storedCall = (call: InteractionCall, keep: Keep): SpokenCall => ({
  ...call,
  async answer(completion) {
    const interaction = call.answer(completion);
    await keep({ ...interaction });
    return interaction;
  },
  stream: () => storedStream(call.stream(), keep),
  passed: storedPassed(call.passed, keep),
});

/** A stream that fails has no end, so it is not stored. */
const storedStream = (stream: InteractionStream, keep: Keep): SpokenStream => ({
  ...stream,
  async end() {
    const events = stream.end();
    const interaction = stream.whole();
    if (interaction !== undefined) await keep({ ...interaction });
    return events;
  },
});

const storedPassed = (passed: PassedInteraction, keep: Keep): SpokenPassedAnswer => ({
  async whole(body) {
    const json = passed.whole(body);
    const interaction = passed.read(json);
    if (interaction !== undefined) await keep(interaction);
    return json;
  },
  stream() {
    const stream = passed.stream();
    return {
      ...stream,
      async end() {
        const events = stream.end();
        if (events.length > 0) await keep(stream.whole());
        return events;
      },
    };
  },
});
