import type {
  ChatChunk,
  ChatCompletion,
  ChunkChoice,
  ChunkDelta,
  CompletionChoice,
  CompletionMessage,
  ToolCallDelta,
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
  const { role, content, refusal, annotations, reasoning_content, reasoning_details, ...unsaid } = message;
  const { images, tool_calls, audio, function_call, ...rest } = unsaid;
  const say = (delta: ChunkDelta): ChunkChoice => ({ index, delta, finish_reason: null });
  yield say({ role, ...(content === null ? { content } : {}), ...present({ audio, function_call, ...rest }) });
  yield* thinkingDeltas({ reasoning_content, reasoning_details }).map(say);
  // Log probabilities belong to the tokens beside them, so that text stays in one piece.
  if (logprobs) yield { ...say({ content: content ?? '' }), logprobs };
  else for (const text of pieces(content ?? '')) yield say({ content: text });
  // Citations belong to the text before them, and a refusal follows what was said.
  const last = present({ annotations, refusal });
  if (Object.keys(last).length > 0) yield say(last);
  for (const image of images ?? []) yield say({ images: [image] });
  for (const delta of callDeltas(tool_calls ?? [])) yield say({ tool_calls: [delta] });
  yield { ...others, index, delta: {}, finish_reason };
}

const present = (members: Readonly<Record<string, unknown>>): ChunkDelta =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined));

/** Signed thinking stays in one piece: its details repeat the text, and a client must not read it twice. */
function* thinkingDeltas(
  thinking: Pick<CompletionMessage, 'reasoning_content' | 'reasoning_details'>,
): Generator<ChunkDelta> {
  if (thinking.reasoning_details != null) yield present(thinking);
  else for (const text of pieces(thinking.reasoning_content ?? '')) yield { reasoning_content: text };
}

type ToolCalls = NonNullable<CompletionChoice['message']['tool_calls']>;

/** A call starts with its name; its arguments follow. */
function* callDeltas(calls: ToolCalls): Generator<ToolCallDelta> {
  for (const [index, call] of calls.entries()) {
    if (call.type === 'custom') {
      yield { ...call, index };
      continue;
    }
    const { arguments: text, ...named } = call.function;
    yield { ...call, index, function: { ...named, arguments: '' } };
    for (const part of pieces(text)) yield { index, function: { arguments: part } };
  }
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
