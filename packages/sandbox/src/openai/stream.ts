import { piece, type PieceKind, type Piece } from '../answer.ts';
import type { Choice, ChoiceToolCall } from '../model/choice.ts';
import { splitCharacters, splitWords } from '../model/split.ts';
import { annotationsOf, simulatedOpenAiFinishReason, systemFingerprint, type OpenAiAnswer } from './completion.ts';

interface Step {
  readonly part: PieceKind;
  readonly delta: Readonly<Record<string, unknown>>;
  readonly finishReason: string | null;
}

/** The answer as server-sent events, encoded completely in advance. */
export function openAiStream(script: OpenAiAnswer, includeUsage: boolean): Piece[] {
  const { id, created, model, usage, tier } = script;
  const head = { id, object: 'chat.completion.chunk', created, model, service_tier: tier };
  const prefix = `data: ${JSON.stringify({ ...head, system_fingerprint: systemFingerprint }).slice(0, -1)},"choices":`;
  const suffix = includeUsage ? ',"usage":null}\n\n' : '}\n\n';
  const chunk = ({ part, delta, finishReason }: Step, index: number): Piece => {
    const choice = { index, delta, logprobs: null, finish_reason: finishReason };
    return piece(part, `${prefix}[${JSON.stringify(choice)}]${suffix}`);
  };
  const pieces = interleaved(script.choices.map(stepsOf), chunk);
  if (includeUsage) pieces.push(piece('usage', `${prefix}[],"usage":${JSON.stringify(usage)}}\n\n`));
  pieces.push(piece('done', 'data: [DONE]\n\n'));
  return pieces;
}

/** Interleaves the choices of one answer. */
function interleaved(choices: readonly Step[][], chunk: (step: Step, index: number) => Piece): Piece[] {
  const longest = Math.max(...choices.map((steps) => steps.length));
  const rounds = Array.from({ length: longest }, (_, round) =>
    choices.flatMap((steps, index) => {
      const step = steps[round];
      return step === undefined ? [] : [chunk(step, index)];
    }),
  );
  return rounds.flat();
}

function stepsOf(choice: Choice): Step[] {
  const text = [
    ...splitWords(choice.reasoning).map((reasoning) => delta({ reasoning_content: reasoning })),
    ...splitWords(choice.content ?? '').map((content) => delta({ content })),
    ...splitWords(choice.refusal ?? '').map((refusal) => delta({ refusal })),
    ...(choice.citations.length > 0 ? [delta({ annotations: annotationsOf(choice) })] : []),
  ];
  const [openingCall, ...laterCalls] = choice.toolCalls.flatMap(callSteps);
  const opening = { role: 'assistant', content: choice.content === null ? null : '', refusal: null };
  // If an answer has only calls, its first event contains the first call.
  const mergesCall = openingCall !== undefined && text.length === 0;
  return [
    { part: 'open', delta: mergesCall ? { ...opening, ...openingCall } : opening, finishReason: null },
    ...text,
    ...(openingCall !== undefined && !mergesCall ? [delta(openingCall)] : []),
    ...laterCalls.map(delta),
    { part: 'finish', delta: {}, finishReason: simulatedOpenAiFinishReason(choice) },
  ];
}

const delta = (members: Step['delta']): Step => ({ part: 'delta', delta: members, finishReason: null });

function callSteps({ id, name, arguments: text }: ChoiceToolCall, index: number): Step['delta'][] {
  return [
    { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
    ...splitCharacters(text, 8).map((part) => ({ tool_calls: [{ index, function: { arguments: part } }] })),
  ];
}
