import { interactionsErrors } from '@tallyport/contracts';
import { answeredModel } from '../answered-model.ts';
import type { Dialect, DialectCall, DialectRequest } from '../dialect.ts';
import { isPlainObject, type PlainObject } from '../plain-object.ts';
import { toInteraction } from './answer.ts';
import { toChat, wantsThoughts } from './chat.ts';
import { readEarlier, readInputSteps, stepsOfInput } from './input.ts';
import { interactionMemberNames } from './member-names.ts';
import { readInteractionRequest } from './native.ts';
import { type PassedInteraction, passedInteraction } from './passed-interaction.ts';
import { type InteractionBody, parseInteraction } from './request-schema.ts';
import { createInteractionStream, type InteractionStream } from './stream.ts';
import { headOf, type Interaction, timeOf } from './writer.ts';
import type { InteractionHead } from './answer-types.ts';

export type { PassedInteraction } from './passed-interaction.ts';
export type { InteractionStream } from './stream.ts';

/** What a service that stores interactions adds to a request. */
export interface InteractionsState {
  /** The steps of the interactions that it continues, in order. */
  earlier: readonly unknown[];
  /** How much of an answer is kept to be stored; absent if nothing is stored. */
  keptBytes?: number | undefined;
  /** Of an interaction that is made in the background. */
  identity?: InteractionIdentity | undefined;
}

export interface InteractionIdentity {
  id: string;
  /** Unix seconds. */
  created: number;
}

export interface InteractionCall extends DialectCall {
  id: string;
  /** The interaction is to be stored. */
  store: boolean;
  /** The steps of this request alone. */
  input: readonly unknown[];
  /** The interaction while it has no answer. */
  unanswered(): InteractionHead;
  answer(...completion: Parameters<DialectCall['answer']>): Interaction;
  stream(): InteractionStream;
  passed: PassedInteraction;
}

/** The interaction that a request continues; `undefined` for any body that names none. */
export function previousInteractionOf(body: unknown): string | undefined {
  const id = isPlainObject(body) ? body.previous_interaction_id : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** The vendor stopped in the middle of an answer, and goes on where it stopped: that is not part of the conversation yet. */
export const resumesAnswer = (body: unknown): boolean => isPlainObject(body) && body.continuation_token != null;

/** What replaces the members of a vendor's interaction. */
const stateOf = (id: string, identity: InteractionIdentity | undefined, previous: string | undefined) => ({
  id,
  ...(identity && { created: timeOf(identity.created) }),
  ...(previous !== undefined && { previous_interaction_id: previous }),
});

export const newInteractionId = (newId: DialectRequest['newId']): string => `int_${newId()}`;

/** `POST /v1beta/interactions`. Without state, nothing is stored and each request brings its whole conversation. */
export const geminiInteractions = {
  name: 'gemini-interactions',
  read(
    { body, bytes, now, newId, ...asked }: DialectRequest,
    { earlier, keptBytes, identity }: InteractionsState = { earlier: [] },
  ): InteractionCall {
    const members: PlainObject = isPlainObject(body) ? body : {};
    const store = keptBytes !== undefined && members.store !== false;
    // Of a request that cannot be translated, the answer repeats only this.
    let request: Pick<InteractionBody, 'generation_config' | 'labels'> = {};
    const read = readInteractionRequest({ body, bytes, earlier }, () => {
      const parsed = parseInteraction(body);
      request = parsed;
      return toChat(parsed, [...readEarlier(earlier), ...readInputSteps(members)]);
    });
    const { id, created } = identity ?? { id: newInteractionId(newId), created: now() };
    const previous = previousInteractionOf(body);
    const terms = {
      id,
      modelOf: answeredModel(String(members.model), asked),
      showsThoughts: wantsThoughts(request),
      previous,
      labels: request.labels ?? undefined,
      created,
      now,
    };
    return {
      ...read,
      id,
      store,
      input: stepsOfInput(members),
      unanswered: () => headOf(terms, terms.modelOf(undefined), { status: 'in_progress' }),
      answer: (completion) => toInteraction(completion, terms),
      stream: () => createInteractionStream(terms),
      passed: passedInteraction(stateOf(id, identity, previous), store ? (keptBytes ?? 0) : 0),
      framing: 'events until done',
    };
  },
  errors: interactionsErrors,
  memberNames: interactionMemberNames,
} satisfies Dialect;
