import { objectsOf, type Piece, type PieceKind, splitCharacters, splitWords, textOf } from '@tallyport/sandbox';
import { namedEvent } from '../event.ts';
import type { OutputItem } from './output.ts';
import { begunResponse, endedResponse, type ResponsesAnswer } from './response.ts';

interface Step {
  readonly part: PieceKind;
  readonly type: string;
  readonly members: object;
}

/** The answer as named and numbered events, encoded completely in advance. */
export function responsesStream(answer: ResponsesAnswer): Piece[] {
  const response = begunResponse(answer);
  const steps: Step[] = [
    { part: 'open', type: 'response.created', members: { response } },
    { part: 'open', type: 'response.in_progress', members: { response } },
    ...answer.output.flatMap((item, at) => stepsOf(item, at)),
    {
      part: 'finish',
      type: answer.isCut ? 'response.incomplete' : 'response.completed',
      members: { response: endedResponse(answer) },
    },
  ];
  return steps.map(({ part, type, members }, sequence) =>
    namedEvent(part, type, { type, sequence_number: sequence, ...members }),
  );
}

function stepsOf(item: OutputItem, output: number): Step[] {
  const place = { item_id: item.id, output_index: output };
  return [
    open('response.output_item.added', { output_index: output, item: skeletonOf(item) }),
    ...innerSteps(item, place),
    finish('response.output_item.done', { output_index: output, item }),
  ];
}

const open = (type: string, members: object): Step => ({ part: 'open', type, members });
const delta = (type: string, members: object): Step => ({ part: 'delta', type, members });
const finish = (type: string, members: object): Step => ({ part: 'finish', type, members });

function skeletonOf(item: OutputItem): object {
  const { encrypted_content: _sealed, action: _action, ...begun } = item;
  const empty = { content: [], summary: [], arguments: '', input: '', status: 'in_progress' };
  return { ...begun, ...Object.fromEntries(Object.entries(empty).filter(([name]) => name in item)) };
}

function innerSteps(item: OutputItem, place: object): Step[] {
  switch (item.type) {
    case 'message':
      return objectsOf(item.content).flatMap((part) => partSteps(part, { ...place, content_index: 0 }));
    case 'reasoning':
      return objectsOf(item.summary).flatMap((part) => summarySteps(textOf([part]), { ...place, summary_index: 0 }));
    case 'function_call':
      return inputSteps('response.function_call_arguments', { arguments: item.arguments, name: item.name }, place);
    case 'custom_tool_call':
      return inputSteps('response.custom_tool_call_input', { input: item.input }, place);
    case 'compaction':
      return [delta('response.compaction.compacting', place)];
    case 'web_search_call':
      return ['in_progress', 'searching', 'completed'].map((phase) =>
        delta(`response.web_search_call.${phase}`, place),
      );
    default:
      return [];
  }
}

function partSteps(part: Readonly<Record<string, unknown>>, place: object): Step[] {
  const isText = part.type === 'output_text';
  const text = String(isText ? part.text : part.refusal);
  const type = isText ? 'response.output_text' : 'response.refusal';
  const logprobs = isText ? { logprobs: [] } : {};
  const empty = isText ? { ...part, text: '', annotations: [] } : { ...part, refusal: '' };
  return [
    open('response.content_part.added', { ...place, part: empty }),
    ...splitWords(text).map((word) =>
      delta(`${type}.delta`, { ...place, delta: word, ...logprobs, obfuscation: 'x7' }),
    ),
    ...objectsOf(part.annotations).map((annotation, at) =>
      delta('response.output_text.annotation.added', { ...place, annotation_index: at, annotation }),
    ),
    finish(`${type}.done`, { ...place, ...(isText ? { text, ...logprobs } : { refusal: text }) }),
    finish('response.content_part.done', { ...place, part }),
  ];
}

function summarySteps(text: string, place: object): Step[] {
  const part = { type: 'summary_text', text };
  return [
    open('response.reasoning_summary_part.added', { ...place, part: { ...part, text: '' } }),
    ...splitWords(text).map((word) => delta('response.reasoning_summary_text.delta', { ...place, delta: word })),
    finish('response.reasoning_summary_text.done', { ...place, text }),
    finish('response.reasoning_summary_part.done', { ...place, part }),
  ];
}

function inputSteps(type: string, whole: Readonly<Record<string, unknown>>, place: object): Step[] {
  const text = String(whole.arguments ?? whole.input);
  return [
    ...splitCharacters(text, 8).map((piece) => delta(`${type}.delta`, { ...place, delta: piece })),
    finish(`${type}.done`, { ...place, ...whole }),
  ];
}
