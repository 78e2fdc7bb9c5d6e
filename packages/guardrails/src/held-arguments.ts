import { HeldText, type HeldTextOptions, type Notation } from './held-text.ts';
import { escapeAt, withEscapes, withoutEscapes } from './json-escapes.ts';
import { JsonText, type WrittenText } from './json-text.ts';
import { redactText } from './redact.ts';

interface HeldArgumentsOptions extends Omit<HeldTextOptions, 'notation'> {
  /** Gets every text in the arguments, in pieces. */
  count(text: string): void;
}

/**
 * Streamed arguments of a tool, of which the same texts are inspected as of whole ones. At most `holdBack` characters are
 * held back; an escape is one character.
 */
export const heldArguments = (options: HeldArgumentsOptions): WrittenText =>
  new JsonText({
    holdBack: options.check.holdBack,
    open: (kind) => heldText(kind, options),
    number(digits) {
      options.count(digits);
      return redactText(digits, options.check, options);
    },
  });

/** Rules get a string without its escapes. What they let pass is sent with the escapes that it arrived with. */
function heldText(kind: 'plain' | 'string', { count, ...options }: HeldArgumentsOptions): WrittenText {
  const notation = kind === 'string' ? createNotation() : undefined;
  const held = new HeldText({ ...options, ...(notation && { notation }) });
  return {
    push(piece) {
      notation?.arrive(piece);
      const text = notation === undefined ? piece : withoutEscapes(piece);
      count(text);
      return held.push(text);
    },
    end: () => held.end(),
  };
}

interface StringNotation extends Notation {
  /** A part of the string as it is written, with whole escapes. */
  arrive(written: string): void;
}

function createNotation(): StringNotation {
  let waiting = '';
  return {
    arrive(written) {
      waiting += written;
    },
    take(characters) {
      let at = 0;
      for (let count = 0; count < characters; count += 1) {
        at += waiting[at] === '\\' ? escapeAt(waiting, at).length : 1;
      }
      const taken = waiting.slice(0, at);
      waiting = waiting.slice(at);
      return taken;
    },
    write: withEscapes,
  };
}
