import { withEscapes, withoutEscapes } from './json-escapes.ts';
import { JsonText, type WrittenText } from './json-text.ts';
import type { TextGuard } from './texts.ts';

/** Redacts the arguments of a tool, which are JSON text. Without findings they stay the same, character by character. */
export function redactArguments(text: string, guard: TextGuard): string {
  const json = new JsonText({
    holdBack: Infinity,
    open: (kind) => wholeText(kind, guard),
    number: (digits) => guard.text(digits),
  });
  return json.push(text) + json.end();
}

function wholeText(kind: 'plain' | 'string', guard: TextGuard): WrittenText {
  let written = '';
  return {
    push(piece) {
      written += piece;
      return '';
    },
    end() {
      const text = kind === 'string' ? withoutEscapes(written) : written;
      const redacted = guard.text(text);
      if (redacted === text) return written;
      return kind === 'string' ? withEscapes(redacted) : redacted;
    },
  };
}
