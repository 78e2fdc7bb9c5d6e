import type { GatewayError } from '@tallyport/contracts';
import { lateResponsesError } from '@tallyport/contracts';
import { editMembers, memberValue, replaceMembers } from '@tallyport/wire';
import type { PassedAnswer, PassedEvent, PassedEvents } from '../dialect.ts';
import { isPlainObject, parsedObject, type PlainObject } from '../plain-object.ts';
import { type BackgroundIdentity, responseObject } from './response.ts';
import type { ResponsesContext } from './writer.ts';

/** The members of a response that describe what this gateway stores; the vendor stores nothing. */
interface PassedState extends Partial<BackgroundIdentity> {
  store?: true;
  background?: true;
  previous_response_id?: string;
  conversation?: { id: string };
}

/** How a response of the vendor is passed on to a client that knows only the responses of this gateway. */
export const passedResponse = (context: ResponsesContext, state: PassedState): PassedAnswer => ({
  whole: (body) => withState(body, state),
  stream: () => createPassedEvents(context, state),
});

function withState(response: Buffer, { conversation, ...others }: PassedState): Buffer {
  const changes = Object.entries(others).map(([name, value]) => ({ path: [name], value: JSON.stringify(value) }));
  const changed = replaceMembers(response, changes);
  if (conversation === undefined) return changed;
  // A vendor that knows of no conversation may leave the member out.
  const added = { conversation: JSON.stringify(conversation) };
  return editMembers(changed, { removed: new Set(Object.keys(added)), added });
}

const endings = new Set(['response.completed', 'response.incomplete']);

/** Follows the events to end the response in the vendor's numbering if it breaks. Its last event is held until `end`. */
function createPassedEvents({ request, identity }: ResponsesContext, state: PassedState): PassedEvents {
  let next = 0;
  let opening: PlainObject | undefined;
  let last: PassedEvent | undefined;
  const finished: unknown[] = [];

  function follow(type: string, json: string): void {
    next = sequenceIn(json, next) + 1;
    if (type === 'response.created') opening = responseIn(json);
    if (type === 'response.output_item.done') finished.push(parsedObject(json).item);
  }

  return {
    event(event) {
      const type = event.event ?? String(parsedObject(event.json).type);
      const json = holdsResponse.test(type) ? withStateInside(event.json, state) : event.json;
      follow(type, json);
      if (!endings.has(type)) return [{ ...event, json }];
      last = { ...event, json };
      return [];
    },
    end: () => (last === undefined ? [] : [last]),
    fail(error) {
      const response = { ...(opening ?? begun()), ...failed(error), output: finished };
      const event = { type: 'response.failed', sequence_number: next, response };
      return [{ event: event.type, json: JSON.stringify(event) }];
    },
  };

  function begun(): PlainObject {
    return responseObject(request, identity, { status: 'in_progress', output: [], usage: null });
  }
}

const failed = (error: GatewayError) => ({ status: 'failed', error: lateResponsesError(error) });

/** Events with the response itself, such as `response.created`; those of its parts have longer names. */
const holdsResponse = /^response\.[a-z_]+$/;

function withStateInside(json: string, state: PassedState): string {
  if (Object.keys(state).length === 0) return json;
  const event = Buffer.from(json);
  const response = memberValue(event, 'response');
  if (response === undefined) return json;
  return replaceMembers(event, [{ path: ['response'], value: withState(response, state).toString() }]).toString();
}

/** Inside a text, the quotes would be escaped. */
function sequenceIn(json: string, otherwise: number): number {
  const [, digits] = /"sequence_number"\s*:\s*(\d{1,9})\b/.exec(json) ?? [];
  return digits === undefined ? otherwise : Number(digits);
}

function responseIn(json: string): PlainObject | undefined {
  const { response } = parsedObject(json);
  return isPlainObject(response) ? response : undefined;
}
