import fc from 'fast-check';
import type { FinishReason } from '@tallyport/wire';

/** A test's answer, independent of any vendor's format. Lists of texts are the pieces it streams in. */
export interface Answer {
  thinking: string[];
  text: string[];
  /** `after`: text that follows the call, of models that write texts and calls in any order. */
  calls: { id: string; name: string; input: string[]; after?: string[] }[];
  images: string[];
  finish: FinishReason;
  promptTokens: number;
  completionTokens: number;
}

export const plainAnswer: Answer = {
  thinking: [],
  text: ['Hello', ', wor', 'ld 🌍'],
  calls: [],
  images: [],
  finish: 'stop',
  promptTokens: 7,
  completionTokens: 3,
};

/** Every kind of character that JSON and UTF-8 treat differently. */
export const someText: fc.Arbitrary<string> = fc.string({
  unit: fc.constantFrom(
    ...'ab {}[]:,"\\/\n\r\t\b\f',
    '\u0000',
    '\u001f',
    '\u007f',
    'é',
    '\u2028',
    '語',
    '🌍',
    '"},{"content":"',
  ),
  minLength: 1,
  maxLength: 12,
});

const pieces = fc.array(someText, { maxLength: 4 });

const calls = fc
  .array(fc.record({ name: fc.stringMatching(/^[a-z_]{1,10}$/), value: fc.json(), after: pieces }), { maxLength: 3 })
  .map((made) =>
    made.map(({ name, value, after }, index) => {
      const input = JSON.stringify({ value });
      return { id: `call_${index}`, name, input: [input.slice(0, 3), input.slice(3)], after };
    }),
  );

/** All text of an answer, for formats that have it in one piece. */
export const textsOf = ({ text, calls: made }: Answer): string[] => [
  ...text,
  ...made.flatMap(({ after = [] }) => after),
];

/** Any answer: text, thinking, calls and images in every combination. */
export const anyAnswer: fc.Arbitrary<Answer> = fc
  .record({
    thinking: pieces,
    text: pieces,
    calls,
    images: fc.array(fc.constant('data:image/png;base64,AA=='), { maxLength: 2 }),
    finish: fc.constantFrom<FinishReason>('stop', 'length', 'content_filter'),
    promptTokens: fc.nat(10_000),
    completionTokens: fc.nat(10_000),
  })
  .map((answer) => (answer.calls.length > 0 ? { ...answer, finish: 'tool_calls' as const } : answer));
