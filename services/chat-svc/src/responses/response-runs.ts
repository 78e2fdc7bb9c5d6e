import type { ExchangeHandler } from '@tallyport/bus';
import { lateResponsesError } from '@tallyport/contracts';
import { openAiResponses, type BackgroundIdentity } from '@tallyport/dialects';
import { replaceMembers } from '@tallyport/wire';
import { z } from 'zod';
import type { LoggedEvent } from '../background/run-log.ts';
import type { RunEnd, RunEnding, RunForm } from '../background/run-form.ts';
import { parsedJson } from '../parsed-json.ts';
import { notStored } from './refusals.ts';
import type { StoredResponses } from './stored-responses.ts';

type Document = Record<string, unknown>;

interface ResponseRunTools {
  /** `POST /v1/responses` of a response with this identity. */
  handler(identity: BackgroundIdentity): ExchangeHandler;
  stored: Pick<StoredResponses, 'delete' | 'find'>;
}

/** Background responses. */
export const responseRuns = ({ handler, stored }: ResponseRunTools): RunForm => ({
  name: openAiResponses.name,
  handler: ({ id, createdAt }) => handler({ id, created_at: Math.floor(createdAt / 1000) }),
  async stored(owner, id) {
    const found = await (await stored.find(owner, id))?.read();
    return found && Buffer.from(JSON.stringify(found.response));
  },
  forget: async (owner, id) => void (await stored.delete(owner, id)),
  unended: (outline, state) => ({ ...outline, status: state === 'queued' ? 'queued' : 'in_progress' }),
  opening(outline) {
    const queued = { ...outline, status: 'queued' };
    return {
      queued: [eventOf('response.created', queued), eventOf('response.queued', queued)],
      begun: eventOf('response.in_progress', { ...outline, status: 'in_progress' }),
    };
  },
  event({ type, json }) {
    if (type === 'response.created' || type === 'response.in_progress') return undefined;
    const event = { type, json: json.replaceAll(/[\r\n]+/g, ' ') };
    if (!lastTypes.has(type)) return { event };
    return ended(event, responseIn(json));
  },
  whole(body) {
    const json = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    const response = documentSchema.parse(parsedJson(json));
    return ended(eventOf(`response.${String(response['status'])}`, response), response);
  },
  stopped(outline, reason) {
    const error = reason.kind === 'failed' ? lateResponsesError(reason.error) : null;
    const document = { ...outline, status: reason.kind, error };
    return { event: eventOf(`response.${reason.kind}`, document), ending: { result: reason.kind, document } };
  },
  numbered: ({ type, json }, number) => ({
    type,
    json: replaceMembers(Buffer.from(json), [{ path: ['sequence_number'], value: String(number) }]).toString(),
  }),
  isLast: ({ type }) => lastTypes.has(type),
});

const results = ['completed', 'failed', 'incomplete', 'cancelled'] as const satisfies RunEnding['result'][];
const lastTypes: ReadonlySet<string> = new Set(results.map((result) => `response.${result}`));
const documentSchema = z.record(z.string(), z.unknown());

const eventOf = (type: string, response: Document): LoggedEvent => ({
  type,
  json: JSON.stringify({ type, sequence_number: 0, response }),
});

const responseIn = (json: string): Document =>
  documentSchema.safeParse(documentSchema.safeParse(parsedJson(Buffer.from(json))).data?.['response']).data ?? {};

/** A response that could not be stored has failed: no client could get it later. */
function ended(event: LoggedEvent, response: Document): RunEnd {
  const result = results.find((each) => each === response['status']) ?? 'completed';
  if (result === 'failed' || result === 'cancelled') return { event, ending: { result, document: response } };
  if (response['store'] === true) return { event, ending: { result } };
  const failed = { ...response, status: 'failed', completed_at: null, error: lateResponsesError(notStored()) };
  const document = { ...failed, output: [] };
  return { event: eventOf('response.failed', failed), ending: { result: 'failed', document } };
}
