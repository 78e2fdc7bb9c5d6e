import {
  type Choice,
  type ChoiceToolCall,
  contentHash,
  isObject,
  type JsonObject,
  jsonOf,
  objectsOf,
  pixelImage,
} from '@tallyport/sandbox';
import { endsInTrigger, calledBy, type CallableTool } from './question.ts';
import { sealItem } from './sealed-item.ts';

/** An item of the output as it is at its end. */
export type OutputItem = Readonly<Record<string, unknown>> & { readonly type: string; readonly id: string };

interface OutputQuestion {
  readonly vendor: string;
  /** Makes ids. */
  readonly key: string;
  readonly body: JsonObject;
  readonly choice: Choice;
}

/** The items of an answer, in their order. A compaction is the only one. */
export function outputOf(question: OutputQuestion): OutputItem[] {
  const { body, choice } = question;
  const idOf = (prefix: string, at = 0): string =>
    `${prefix}_${contentHash(`${question.key}/${prefix}/${at}`).slice(0, 40)}`;
  if (endsInTrigger(body)) return [compactionItem(question.vendor, idOf('cmp'))];
  const tools = new Map(calledBy(body).map(([name, tool]) => [name, tool]));
  return [
    ...(choice.reasoning === '' ? [] : [reasoningOf(question, idOf('rs'))]),
    ...(searches(question) ? [searchOf(idOf('ws'))] : []),
    ...(draws(question) ? [drawingOf(idOf('ig'))] : []),
    ...(choice.content === null && choice.refusal === null ? [] : [messageOf(choice, idOf('msg'))]),
    ...choice.toolCalls.map((call, at) => callOf(call, tools.get(call.name), (prefix) => idOf(prefix, at))),
  ];
}

/** Stands for a conversation. */
export const compactionItem = (vendor: string, id: string): OutputItem => ({
  id,
  type: 'compaction',
  encrypted_content: sealItem({ vendor, id }),
});

/** The simulated model searches if it is asked to. */
const searches = (question: OutputQuestion): boolean => runs(question, 'web_search', /\bsearch the web\b/i);

/** And draws. */
const draws = (question: OutputQuestion): boolean => runs(question, 'image_generation', /\bdraw an image\b/i);

function runs({ body, choice }: OutputQuestion, tool: string, wish: RegExp): boolean {
  const declared = objectsOf(body.tools).some(({ type }) => String(type).startsWith(tool));
  return declared && choice.content !== null && wish.test(JSON.stringify(body.input));
}

const drawingOf = (id: string): OutputItem => ({
  id,
  type: 'image_generation_call',
  status: 'completed',
  result: pixelImage.base64,
});

const searchOf = (id: string): OutputItem => ({
  id,
  type: 'web_search_call',
  status: 'completed',
  action: { type: 'search', query: 'simulated', sources: [{ type: 'url', url: 'https://example.com/one' }] },
});

function reasoningOf({ vendor, body, choice }: OutputQuestion, id: string): OutputItem {
  const { summary } = isObject(body.reasoning) ? body.reasoning : {};
  const seals = Array.isArray(body.include) && body.include.includes('reasoning.encrypted_content');
  return {
    id,
    type: 'reasoning',
    summary: typeof summary === 'string' ? [{ type: 'summary_text', text: choice.reasoning }] : [],
    ...(seals && { encrypted_content: sealItem({ vendor, id }) }),
  };
}

const messageOf = ({ content, refusal, citations, finishReason }: Choice, id: string): OutputItem => ({
  id,
  type: 'message',
  status: finishReason === 'length' ? 'incomplete' : 'completed',
  role: 'assistant',
  content: [
    refusal === null
      ? { type: 'output_text', text: content ?? '', annotations: citations.map(annotationOf), logprobs: [] }
      : { type: 'refusal', refusal },
  ],
});

const annotationOf = ({ url, title }: Choice['citations'][number]) => ({
  type: 'url_citation',
  url,
  title,
  start_index: 0,
  end_index: 1,
});

function callOf(call: ChoiceToolCall, tool: CallableTool | undefined, idOf: (prefix: string) => string): OutputItem {
  const { kind = 'function', name = call.name, namespace } = tool ?? {};
  const called = { status: 'completed', call_id: call.id, name, ...(namespace !== undefined && { namespace }) };
  if (kind === 'function') return { id: idOf('fc'), type: 'function_call', ...called, arguments: call.arguments };
  const input = jsonOf(call.arguments);
  const text = isObject(input) && typeof input.input === 'string' ? input.input : call.arguments;
  return { id: idOf('ctc'), type: 'custom_tool_call', ...called, input: text };
}
