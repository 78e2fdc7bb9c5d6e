import { type GatewayError, lateInteractionError } from '@tallyport/contracts';
import { editMembers, memberValue, replaceMembers } from '@tallyport/wire';
import type { PassedAnswer, PassedEvent, PassedEvents } from '../dialect.ts';
import { isPlainObject, objectIn, parsedObject, type PlainObject } from '../plain-object.ts';
import { createStepFold } from './step-fold.ts';

/** The members of an interaction that describe what this gateway stores; the vendor stores nothing. */
interface PassedState {
  id: string;
  created?: string;
  previous_interaction_id?: string;
}

/** How an interaction of the vendor is passed on to a client that knows only those of this gateway. */
export interface PassedInteraction extends PassedAnswer {
  /** The interaction with its steps, to be stored. */
  read(body: Buffer): PlainObject | undefined;
  stream(): PassedInteractionEvents;
}

interface PassedInteractionEvents extends PassedEvents {
  /** The same; `undefined` before its last event. */
  whole(): PlainObject | undefined;
}

/** `keptBytes`: how much of a stream is kept to be stored. */
export const passedInteraction = (state: PassedState, keptBytes: number): PassedInteraction => ({
  whole: (body) => withState(body, state),
  read: (body) => objectIn(body.toString()),
  stream: () => createPassedEvents(state, keptBytes),
});

function withState(interaction: Buffer, state: PassedState): Buffer {
  const added = Object.fromEntries(Object.entries(state).map(([name, value]) => [name, JSON.stringify(value)]));
  return editMembers(interaction, {
    removed: new Set(['id', 'previous_interaction_id', ...Object.keys(state)]),
    added,
  });
}

/** Follows the events to end the interaction in its own form if it breaks. The last one is held until `end`. */
function createPassedEvents(state: PassedState, keptBytes: number): PassedInteractionEvents {
  const steps = createStepFold(keptBytes);
  let last: PassedEvent | undefined;

  return {
    event(event) {
      const members = parsedObject(event.json);
      const type = typeof members.event_type === 'string' ? members.event_type : (event.event ?? '');
      steps.event(type, members);
      const passed = { ...event, json: ofThisGateway(event.json, members, state) };
      if (type !== 'interaction.completed') return [passed];
      last = passed;
      return [];
    },
    end: () => (last === undefined ? [] : [last]),
    fail: (error) => [failed(error)],
    whole() {
      const { interaction } = last === undefined ? {} : parsedObject(last.json);
      const folded = steps.whole();
      return isPlainObject(interaction) && folded ? { ...interaction, steps: folded } : undefined;
    },
  };
}

function ofThisGateway(json: string, { interaction, interaction_id: id }: PlainObject, state: PassedState): string {
  if (id !== undefined) return changed(json, 'interaction_id', JSON.stringify(state.id));
  if (!isPlainObject(interaction)) return json;
  const own = memberValue(Buffer.from(json), 'interaction') ?? Buffer.from('{}');
  return changed(json, 'interaction', withState(own, state).toString());
}

const changed = (json: string, name: string, value: string): string =>
  replaceMembers(Buffer.from(json), [{ path: [name], value }]).toString();

function failed(error: GatewayError): PassedEvent {
  const data = { event_type: 'error', error: lateInteractionError(error) };
  return { event: data.event_type, json: JSON.stringify(data) };
}
