import {
  type ChatChunk,
  type ChatCompletion,
  type ChunkChoice,
  type ChunkDelta,
  type CompletionChoice,
  deltasInOrder,
  type Logprobs,
  type ToolCallDelta,
} from '@tallyport/wire';

/** Split a cached answer into chunks so that streaming clients render it progressively. */
const charactersAtOnce = 64;

/** A whole answer as the chunks of a stream, which fold into the same answer. The caller adds the usage. */
export function* chunksOf({ choices, usage: _usage, metadata, ...head }: ChatCompletion): Generator<ChatChunk> {
  const chunk = (choice: ChunkChoice): ChatChunk => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [choice],
    ...(metadata && choice.finish_reason !== null && { metadata }),
  });
  for (const choice of choices) for (const delta of deltasOf(choice)) yield chunk(delta);
}

function* deltasOf({ index, message, logprobs, finish_reason, ...others }: CompletionChoice): Generator<ChunkChoice> {
  const { role, content, refusal, annotations: _annotations, reasoning_content: _thought, ...unsaid } = message;
  const { images, tool_calls: _calls, audio, function_call, ...known } = unsaid;
  const { reasoning_details: _details, content_order: _order, ...rest } = known;
  const say = (delta: ChunkDelta): ChunkChoice => ({ index, delta, finish_reason: null });
  const unordered = [...(refusal ? [{ refusal }] : []), ...(images ?? []).map((image) => ({ images: [image] }))];
  const deltas = deltasInOrder(message, unordered);
  yield say({ role, ...(content === null ? { content } : {}), ...present({ audio, function_call, ...rest }) });
  if (logprobs) yield* withLogprobs(deltas, logprobs).map(({ delta, ...beside }) => ({ ...say(delta), ...beside }));
  else for (const delta of deltas) yield* deltasIn(delta).map(say);
  yield { ...others, index, delta: {}, finish_reason };
}

interface SaidDelta {
  delta: ChunkDelta;
  logprobs?: Logprobs;
}

/** Log probabilities belong to the tokens beside them, so texts stay in one piece; all of them are beside the first one. */
function withLogprobs(deltas: readonly ChunkDelta[], logprobs: Logprobs): SaidDelta[] {
  const text = deltas.findIndex(({ content }) => content);
  if (text < 0) return [{ delta: {}, logprobs }, ...deltas.map((delta) => ({ delta }))];
  return deltas.map((delta, at) => (at === text ? { delta, logprobs } : { delta }));
}

/** Signed thinking stays in one piece: its details repeat the text, and a client must not read it twice. So do images. */
function* deltasIn(delta: ChunkDelta): Generator<ChunkDelta> {
  const { content, annotations, tool_calls: calls, ...whole } = delta;
  const { reasoning_content: thought, ...rest } = whole;
  if (Object.keys(rest).length > 0) yield whole;
  else for (const text of pieces(thought ?? '')) yield { reasoning_content: text };
  for (const text of pieces(content ?? '')) yield { content: text };
  // Citations belong to the text before them.
  if (annotations !== undefined) yield { annotations };
  for (const call of calls ?? []) yield* callDeltas(call);
}

const present = (members: Readonly<Record<string, unknown>>): ChunkDelta =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined));

/** A call starts with its name; its arguments follow. */
function* callDeltas(call: ToolCallDelta): Generator<ChunkDelta> {
  const { function: called, index } = call;
  if (called === undefined) {
    yield { tool_calls: [call] };
    return;
  }
  const { arguments: text = '', ...named } = called;
  yield { tool_calls: [{ ...call, function: { ...named, arguments: '' } }] };
  for (const part of pieces(text)) yield { tool_calls: [{ index, function: { arguments: part } }] };
}

function* pieces(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = from + charactersAtOnce;
    // Never splits a surrogate pair.
    const to = isHighSurrogate(text.charCodeAt(end - 1)) ? end + 1 : end;
    yield text.slice(from, to);
    from = to;
  }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd8_00 && code <= 0xdb_ff;
