import { contentHash } from '../content-hash.ts';
import { reasoningModel, toolModel } from '../providers.ts';
import type { Choice, ChoiceToolCall } from './choice.ts';
import type { ChatQuestion, QuestionTool } from './question.ts';
import { sampleOf } from './sample.ts';
import { charactersPerToken } from './tokens.ts';
import { pixelImage } from './media.ts';
import { requestedCall, hasDirective, requestedDigits, requestedWords, type Directive } from './directives.ts';

interface Speaker {
  readonly provider: string;
  readonly seed: number;
}

/** Composes the simulated model's answer. It depends only on the question, the provider and the seed. */
export function composeChoices(question: ChatQuestion, speaker: Speaker): Choice[] {
  return Array.from({ length: question.n }, (_, index) => composeChoice(question, speaker, index));
}

export function composeChoice(question: ChatQuestion, speaker: Speaker, index = 0): Choice {
  const has = (directive: Directive) => hasDirective(question.lastText, directive);
  const choice = { ...emptyChoice, reasoning: composeReasoning(question) };
  if (has('refusal')) return { ...choice, refusal, finishReason: 'refusal' };
  const tools = toolsToCall(question);
  if (tools.length > 0) {
    const toolCalls = tools.map((tool, position) =>
      composeCall(tool, `${speaker.seed}/${index}/${position}`, question),
    );
    const isInterleaved = has('interleaved');
    const content = isInterleaved || has('text-and-call') ? 'Let me look that up.' : null;
    const between = isInterleaved ? 'Now the other one.' : '';
    return { ...choice, content, between, toolCalls, finishReason: 'tool_calls' };
  }
  const content = question.json === undefined ? composeText(question, speaker, index) : composeJson(question, speaker);
  return limited(
    { ...choice, content, images: has('image') ? [pixelImage] : [], citations: has('citations') ? sources : [] },
    has('length') ? { ...question, maxTokens: Math.min(question.maxTokens, shortTokens) } : question,
  );
}

export const emptyChoice: Choice = {
  reasoning: '',
  content: null,
  between: '',
  refusal: null,
  toolCalls: [],
  images: [],
  citations: [],
  finishReason: 'stop',
  stoppedBy: null,
};

const refusal = 'I am simulated and was asked to refuse this.';

/** Enough for a short thought and some words, but less than any answer needs. */
const shortTokens = 32;

const sources = [
  { url: 'https://example.com/one', title: 'The first source', quote: 'One thing is so.' },
  { url: 'https://example.com/two', title: 'The second source', quote: 'Another is not.' },
];

function composeReasoning({ model, reasoning, lastText }: ChatQuestion): string {
  const wanted = reasoning === 'asked' || model === reasoningModel || hasDirective(lastText, 'reasoning');
  if (!wanted || reasoning === 'off') return '';
  return `The user asks: "${excerpt(lastText)}". I am simulated, so I only say that I was asked.`;
}

function toolsToCall(question: ChatQuestion): readonly QuestionTool[] {
  const { tools, lastRole, lastText, model } = question;
  const first = tools[0];
  if (first === undefined || hasDirective(lastText, 'text')) return [];
  const requested = tools.find(({ name }) => name === callOf(question)?.name);
  if (requested !== undefined) return [requested];
  if (lastRole !== 'user') return [];
  if (!question.parallelToolCalls) return [first];
  if (model === toolModel) return tools;
  if (!/parallel|\[interleaved\]/i.test(lastText)) return [first];
  return tools.length > 1 ? tools : [first, first];
}

function composeCall(tool: QuestionTool, place: string, question: ChatQuestion): ChoiceToolCall {
  const about = question.lastRole === 'tool' ? question.toolResults.join() : question.lastText;
  const id = `call_sim${contentHash(`${place}/${tool.name}/${about}`).slice(0, 20)}`;
  return { id, name: tool.name, arguments: argumentsText(tool, question) };
}

function argumentsText(tool: QuestionTool, question: ChatQuestion): string {
  if (hasDirective(question.lastText, 'broken-arguments')) return '{"city":"Par';
  const digits = requestedDigits(question.lastText);
  return digits === undefined ? JSON.stringify(argumentsFor(tool, question)) : `{"id":${digits}}`;
}

function argumentsFor(tool: QuestionTool, question: ChatQuestion): unknown {
  const requested = callOf(question)?.arguments;
  if (requested !== undefined) return requested;
  const bare = tool.parameters === undefined || hasDirective(question.lastText, 'no-arguments');
  return bare ? {} : sampleOf(tool.parameters);
}

/** The call that the user's message requests, or a tool's result, so that a task can take several calls. */
const callOf = ({ lastRole, lastText, toolResults }: ChatQuestion) =>
  lastRole === 'other' ? undefined : requestedCall(lastRole === 'tool' ? toolResults.join('\n') : lastText);

function composeText(question: ChatQuestion, { provider, seed }: Speaker, index: number): string {
  const opening = `This is a simulated answer from ${provider}`;
  const words = wordLimit(question);
  if (words !== undefined) return exactWords(opening, words);
  const alternative = index === 0 ? '' : ` (choice ${index + 1})`;
  const about =
    question.toolResults.length > 0 ? echoOfTools(question.toolResults) : `You said: "${excerpt(question.lastText)}".`;
  const closing = closings[(seed + question.lastText.length) % closings.length];
  return `${opening}${alternative}: no real model was asked. The model ${question.model} is pretended. ${about} ${closing}`;
}

const closings = [
  'Set a provider key to hear a real one.',
  'Ask anything else, the answer will be as simulated as this one.',
  'Everything around these words is real: routing, streaming, limits and usage.',
] as const;

/** The maximum length of an echoed tool result. */
const maxEchoed = 4_000;

function echoOfTools(results: readonly string[]): string {
  const echo = excerpt(results.join(' | '), maxEchoed);
  return results.length === 1 ? `The tool returned: ${echo}` : `The tools returned: ${echo}`;
}

function composeJson({ json, lastText }: ChatQuestion, { provider }: Speaker): string {
  if (json?.schema !== undefined) return JSON.stringify(sampleOf(json.schema));
  return JSON.stringify({ simulated: true, provider, question: excerpt(lastText) });
}

/** Over all choices: about 12 MB. */
const maxWords = 2_000_000;

function wordLimit({ lastText, n }: ChatQuestion): number | undefined {
  const count = requestedWords(lastText);
  return count === undefined ? undefined : Math.min(count, Math.floor(maxWords / n));
}

const filler = 'and it goes on in words that mean nothing but keep the pace of a model'.split(' ');

function exactWords(opening: string, count: number): string {
  const words = opening.split(' ').slice(0, count);
  while (words.length < count) words.push(filler[words.length % filler.length] ?? '');
  return words.join(' ');
}

/** Applies `stop` first, then the token limit, which includes reasoning. */
function limited(choice: Choice, { stop, maxTokens }: ChatQuestion): Choice {
  const reasoning = cut(choice.reasoning, maxTokens * charactersPerToken);
  const left = maxTokens - Math.ceil(reasoning.length / charactersPerToken);
  const text = choice.content ?? '';
  const stopped = firstStop(text, stop);
  const kept = text.slice(0, stopped?.place);
  const content = cut(kept, left * charactersPerToken);
  const whole = reasoning.length === choice.reasoning.length && content.length === kept.length;
  if (!whole) return { ...choice, reasoning, content, finishReason: 'length' };
  return { ...choice, reasoning, content, stoppedBy: stopped?.word ?? null };
}

function firstStop(text: string, stop: readonly string[]): { word: string; place: number } | undefined {
  const found = stop.map((word) => ({ word, place: text.indexOf(word) })).filter(({ place }) => place >= 0);
  return found.toSorted((one, other) => one.place - other.place)[0];
}

const excerpt = (text: string, length = 160) => (text.length > length ? `${cut(text, length)}…` : text);

/** Does not cut within a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = text.charCodeAt(length - 1);
  return text.slice(0, end >= 0xd800 && end < 0xdc00 ? length - 1 : length);
}
