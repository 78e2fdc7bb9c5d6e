import { GatewayError } from '@tallyport/contracts';
import { editMembers, memberValue, repeatsMember, repeatsMemberWithin, structureProblem } from '@tallyport/wire';
import { z } from 'zod';
import { parsedJson } from '../parsed-json.ts';
import type { SessionType } from './asked-session.ts';

/** A message of a client: what it may cost. The message itself is passed on. */
export interface ClientEvent {
  /** `asks`: for a response. `speaks`: the vendor may begin a response by itself. `commits`: it speaks, and ends an item. */
  effect: 'asks' | 'speaks' | 'commits' | 'none';
  /** What it adds to the next response, in tokens. */
  adds: { text: number; audio: number };
  /** The limit that it sets: of the response that it asks for, or of all that follow. Absent if it says nothing about that. */
  mostOutput?: number | 'inf' | undefined;
  /** The model that it names for the session. */
  model?: string | undefined;
  /** What the vendor gets in place of the message: it may have another name for the model, which the address has chosen. */
  passedOn?: Buffer;
  /** The model that writes audio down from now on, `null` for none; absent if it says nothing about that. */
  transcription?: string | null | undefined;
}

type Kind = Pick<ClientEvent, 'effect'> & { adds: 'text' | 'audio' | 'nothing'; reads?: 'session' | 'response' };

const silent = { effect: 'none', adds: 'nothing' } as const;

const ofTranscriptions: Readonly<Record<string, Kind>> = {
  'session.update': { effect: 'none', adds: 'text', reads: 'session' },
  'input_audio_buffer.append': { effect: 'speaks', adds: 'audio' },
  'input_audio_buffer.commit': { effect: 'commits', adds: 'nothing' },
  'input_audio_buffer.clear': silent,
};

const ofConversations: Readonly<Record<string, Kind>> = {
  ...ofTranscriptions,
  'output_audio_buffer.clear': silent,
  'conversation.item.create': { effect: 'none', adds: 'text' },
  'conversation.item.delete': silent,
  'conversation.item.retrieve': silent,
  'conversation.item.truncate': silent,
  'response.create': { effect: 'asks', adds: 'text', reads: 'response' },
  'response.cancel': silent,
};

/** Others could cost what is not known here. */
const kindsOf: Readonly<Record<SessionType, Readonly<Record<string, Kind>>>> = {
  realtime: ofConversations,
  transcription: {
    ...ofTranscriptions,
    // That of before general availability.
    'transcription_session.update': { effect: 'none', adds: 'text', reads: 'session' },
  },
};

/** Throws a GatewayError for a message that is not passed on. */
export function readRealtimeEvent(bytes: Buffer, sessionType: SessionType): ClientEvent {
  if (repeatsMember(bytes)) throw invalid('A member is there twice. Name each once.');
  const type = parsedJson(memberValue(bytes, 'type') ?? Buffer.from('null'));
  if (typeof type !== 'string') throw invalid('Send JSON objects with a `type`.');
  const kinds = kindsOf[sessionType];
  const kind = Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (kind === undefined) throw unknownType(type);
  const { effect, adds, reads } = kind;
  const event: ClientEvent = { effect, adds: tokensOf(bytes.length, adds) };
  if (reads === 'session') return { ...event, ...sessionIn(bytes, sessionType) };
  return reads === 'response' ? { ...event, ...responseIn(bytes) } : event;
}

/** Instructions and tools. */
const largestRead = 1024 * 1024;

const charactersPerToken = 4;
/** Of base64, in the sparsest format. The densest has six times as many. */
const charactersPerAudioToken = 1_000;

function tokensOf(length: number, kind: Kind['adds']): ClientEvent['adds'] {
  if (kind === 'audio') return { text: 0, audio: Math.ceil(length / charactersPerAudioToken) };
  return { text: kind === 'text' ? Math.ceil(length / charactersPerToken) : 0, audio: 0 };
}

const limit = z.union([z.int().min(1), z.literal('inf')]).nullish();
const transcription = z
  .looseObject({ model: z.string().max(200) })
  .nullable()
  .optional();

const sessionSchema = z.looseObject({
  type: z.string().optional(),
  model: z.string().max(200).optional(),
  prompt: z.unknown().optional(),
  max_output_tokens: limit,
  max_response_output_tokens: limit,
  audio: z.looseObject({ input: z.looseObject({ transcription }).optional() }).nullish(),
  input_audio_transcription: transcription,
});

function sessionIn(bytes: Buffer, sessionType: SessionType): Omit<ClientEvent, 'effect' | 'adds'> {
  const session = checked(sessionSchema, bytes, 'session');
  if (session.type !== undefined && session.type !== sessionType) throw otherType(sessionType);
  refusePrompt(session);
  const { model, max_output_tokens: now, max_response_output_tokens: before } = session;
  const mostOutput = limitOf(now === undefined ? before : now);
  const read = { model, mostOutput, transcription: transcriptionIn(session) };
  return model === undefined ? read : { ...read, passedOn: withoutModel(bytes) };
}

function withoutModel(event: Buffer): Buffer {
  const session = memberValue(event, 'session') ?? Buffer.from('{}');
  const left = editMembers(session, { removed: new Set(['model']), added: {} });
  return editMembers(event, { removed: new Set(['session']), added: { session: left.toString() } });
}

/** Both shapes have it in a place of their own. */
function transcriptionIn({
  audio,
  input_audio_transcription: before,
}: z.infer<typeof sessionSchema>): ClientEvent['transcription'] {
  const now = audio?.input?.transcription;
  if (now !== undefined && before !== undefined) throw invalid('session: name the transcription once.');
  const said = now === undefined ? before : now;
  return said === null ? null : said?.model;
}

const responseSchema = z.looseObject({ prompt: z.unknown().optional(), max_output_tokens: limit });

function responseIn(bytes: Buffer): Pick<ClientEvent, 'mostOutput'> {
  const response = checked(responseSchema, bytes, 'response');
  refusePrompt(response);
  return { mostOutput: limitOf(response.max_output_tokens) };
}

const limitOf = (value: z.infer<typeof limit>): ClientEvent['mostOutput'] => (value === null ? 'inf' : value);

function checked<Schema extends z.ZodType>(schema: Schema, bytes: Buffer, name: string): z.infer<Schema> {
  if (bytes.length > largestRead) throw invalid(`${name}: this event has more than ${largestRead} bytes. Send less.`);
  const json = memberValue(bytes, name) ?? Buffer.from('{}');
  const value = parsedJson(json);
  // Readers of other languages take more than JSON, and would find what was not read here.
  if (value === undefined) throw invalid(`${name}: it is no JSON.`);
  const problem = structureProblem(value);
  if (problem !== undefined) throw invalid(`${name}: it is ${problem}.`);
  if (repeatsMemberWithin(json)) throw invalid(`${name}: a member is there twice. Name each once.`);
  const result = schema.safeParse(value ?? {});
  if (!result.success)
    throw invalid(`${[name, ...(result.error.issues[0]?.path ?? [])].join('.')}: this value is invalid.`);
  return result.data;
}

function refusePrompt({ prompt }: { prompt?: unknown }): void {
  if (prompt !== undefined && prompt !== null)
    throw invalid('prompt: prompts that are stored at OpenAI cannot be used here. Send the instructions.');
}

const invalid = (message: string): GatewayError => new GatewayError('invalid_parameters', message);

const otherType = (sessionType: SessionType): GatewayError =>
  invalid(`session.type: this session was opened as "${sessionType}". Open another one, with or without \`intent\`.`);

const unknownType = (type: string): GatewayError =>
  invalid(`type: '${type.slice(0, 100)}' is no event of a realtime session that is served here.`);
