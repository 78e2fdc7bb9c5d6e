import type { ExchangeHandler } from '@tallyport/bus';
import { lateInteractionError } from '@tallyport/contracts';
import { geminiInteractions, type InteractionIdentity } from '@tallyport/dialects';
import { editMembers } from '@tallyport/wire';
import { z } from 'zod';
import type { LoggedEvent } from '../background/run-log.ts';
import type { RunEnd, RunEnding, RunForm, RunIdentity } from '../background/run-form.ts';
import { parsedJson } from '../parsed-json.ts';
import type { StoredResponses } from '../responses/stored-responses.ts';
import { interactionOf } from './interaction-record.ts';

type Document = Record<string, unknown>;

interface InteractionRunTools {
  /** `POST /v1beta/interactions` of an interaction with this identity. */
  handler(identity: InteractionIdentity): ExchangeHandler;
  stored: Pick<StoredResponses, 'delete' | 'find'>;
}

export const identityOf = ({ id, createdAt }: RunIdentity): InteractionIdentity => ({
  id,
  created: Math.floor(createdAt / 1000),
});

const [created, statusUpdate, completed, failed] = [
  'interaction.created',
  'interaction.status_update',
  'interaction.completed',
  'error',
] as const;

/** Background interactions. */
export const interactionRuns = ({ handler, stored }: InteractionRunTools): RunForm => ({
  name: geminiInteractions.name,
  handler: (run) => handler(identityOf(run)),
  async stored(owner, id) {
    const found = await (await stored.find(owner, id))?.read();
    return found && Buffer.from(JSON.stringify(interactionOf(found.response, found.output)));
  },
  forget: async (owner, id) => void (await stored.delete(owner, id)),
  // Clients wait while it is in progress, which waiting is a part of.
  unended: (outline) => outline,
  opening: (outline) => ({
    queued: [eventOf(created, { interaction: outline })],
    begun: eventOf(statusUpdate, { interaction_id: outline['id'], status: 'in_progress' }),
  }),
  event(sent, outline) {
    const members = documentIn(sent.json);
    const { event_type: type = sent.type } = members;
    // The end of a stream is no event.
    if (type === '' || type === created || isBegun(members)) return undefined;
    const event = { type: String(type), json: sent.json.replaceAll(/[\r\n]+/g, ' ') };
    if (type === completed)
      return { event, ending: endingOf(documentSchema.safeParse(members['interaction']).data ?? {}) };
    return type === failed ? { event, ending: failedWith(outline, members['error']) } : { event };
  },
  whole(body) {
    const interaction = documentIn(Buffer.from(body).toString());
    return { event: eventOf(completed, { interaction }), ending: endingOf(interaction) };
  },
  stopped(outline, reason): RunEnd {
    if (reason.kind === 'cancelled') {
      const document = { ...outline, status: 'cancelled' };
      return { event: eventOf(completed, { interaction: document }), ending: endingOf(document) };
    }
    const error = lateInteractionError(reason.error);
    return { event: eventOf(failed, { error }), ending: failedWith(outline, error) };
  },
  numbered: ({ type, json }, number) => ({
    type,
    json: editMembers(Buffer.from(json), {
      removed: new Set(['event_id']),
      added: { event_id: JSON.stringify(eventId(number)) },
    }).toString(),
  }),
  isLast: ({ type }) => type === completed || type === failed,
});

/** As in every stream of this API, the first event is 1. */
const eventId = (number: number): string => String(number + 1);

const isBegun = ({ event_type: type, status }: Document): boolean => type === statusUpdate && status === 'in_progress';

const documentSchema = z.record(z.string(), z.unknown());

const documentIn = (json: string): Document => documentSchema.safeParse(parsedJson(Buffer.from(json))).data ?? {};

const eventOf = (type: string, members: Document): LoggedEvent => ({
  type,
  json: JSON.stringify({ event_type: type, ...members }),
});

/** Of an interaction with an answer, which is stored unless it was cancelled. */
function endingOf(interaction: Document): RunEnding {
  switch (interaction['status']) {
    case 'cancelled':
      return { result: 'cancelled', document: interaction };
    case 'failed':
      return { result: 'failed' };
    case 'budget_exceeded':
    case 'incomplete':
    case 'requires_continuation':
      return { result: 'incomplete' };
    default:
      return { result: 'completed' };
  }
}

const failedWith = (outline: Document, error: unknown): RunEnding => ({
  result: 'failed',
  document: { ...outline, status: 'failed', errors: [error] },
});
