import type { GatewayError } from '@tallyport/contracts';
import type { DialectEvent } from '@tallyport/dialects';
import { type Frame, frameText, passedEvent } from '@tallyport/wire';
import { errorOfBody } from './error-of-body.ts';
import type { JsonEvent } from './frame-events.ts';
import type { SpokenPassedAnswer, SpokenPassedEvents, SpokenStream } from './spoken-dialect.ts';

/** Turns the events of one chat's stream into those of another API. Events of a vendor with that API are passed on. */
export interface EventTranslator {
  frames(frames: readonly Frame[]): TranslatedFrames;
  /** The last events of a stream that ended well. */
  end(): Promise<JsonEvent[]>;
  /** Events of the vendor were passed on without being read here; not for APIs that follow them. */
  passed(): void;
  fail(error: GatewayError): JsonEvent[];
  /** What keeps the connection open; `undefined` where a comment does. */
  ping(): JsonEvent[] | undefined;
}

export interface TranslatedFrames {
  events: JsonEvent[];
  /** How the stream ended with these frames; `undefined` if it goes on. The events of a good end are not included. */
  ending?: 'whole' | 'failed';
}

export function eventTranslator(stream: SpokenStream, passedAnswer?: SpokenPassedAnswer): EventTranslator {
  /** The vendor's events begin and end the answer by themselves. */
  let passing = false;
  let following: SpokenPassedEvents | undefined;

  function translate(frame: Frame, text: string): JsonEvent[] {
    const passed = passedEvent(frame);
    if (passed === undefined) return stream.chunk(JSON.parse(text)).map(inJson);
    passing = true;
    const event = { event: passed.name, json: text };
    following ??= passedAnswer?.stream();
    return following?.event(event) ?? [event];
  }

  const failed = (error: GatewayError): JsonEvent[] => following?.fail(error) ?? stream.fail(error).map(inJson);

  return {
    frames(frames) {
      const events: JsonEvent[] = [];
      for (const frame of frames) {
        const text = frameText(frame);
        if (text === '[DONE]') return { events, ending: 'whole' };
        const error = errorIn(frame, text);
        if (error !== undefined) return { events: [...events, ...failed(error)], ending: 'failed' };
        for (const event of translate(frame, text)) events.push(event);
      }
      return { events };
    },
    end: async () => (passing ? ((await following?.end()) ?? []) : (await stream.end()).map(inJson)),
    passed() {
      passing = true;
    },
    fail: failed,
    ping: () => (passing ? undefined : stream.ping?.().map(inJson)),
  };
}

const inJson = ({ event, data }: DialectEvent): JsonEvent => ({ event, json: JSON.stringify(data) });

/** The error that ends a stream of ours. */
function errorIn({ event }: Frame, text: string): GatewayError | undefined {
  return event === undefined && text.startsWith('{"error":') ? errorOfBody(JSON.parse(text)) : undefined;
}
