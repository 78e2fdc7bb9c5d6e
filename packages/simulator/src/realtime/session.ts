import { isObject, type JsonObject, type SimulationOptions } from '@tallyport/sandbox';
import type { WebSocket } from 'ws';
import { RealtimeConversation, type RealtimeUsage } from './conversation.ts';

/** A session, as tests see it. */
export interface RealtimeSession {
  /** That of the address; absent in a session that only transcribes. */
  readonly model: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Of the first text that has one. */
  readonly label: string | undefined;
  /** The types of the events that were received, in order. */
  readonly received: readonly string[];
  /** What is billed for its responses, in order. */
  readonly billed: readonly RealtimeUsage[];
  /** What is billed for what it wrote down. */
  readonly transcribed: readonly JsonObject[];
  readonly socket: WebSocket;
}

type SessionOptions = Pick<RealtimeSession, 'model' | 'headers'> & Pick<SimulationOptions, 'labelOf'>;

const audioPieces = 4;
const pieceBytes = 2_400;
/** These report the seconds that they heard, and others tokens. */
const byTheSecond = /^(whisper|gpt-transcribe)/;
/** What is late is so late. */
const lateMs = 100;

/**
 * Plays OpenAI's realtime API: texts and audio in, audio and its transcript out; without a model, only transcripts. Sound is anything but zeros, and silence
 * after it starts a response, unless `turn_detection` is null. Words in a text change its answer: `[hold]` begins a response
 * that ends when it is cancelled, `[cut]` one that breaks the connection, `[fail]` one that fails, `[twice]` reports its end
 * twice, `[mute]` begins none, `[slow]` begins one late, `[burst:n]` begins so many that are held, `[disorder]` reports its end
 * before its beginning and again, `[large:n]` sends an event of so many bytes, and `[flood]` sends events until the connection
 * ends. After `[late]`, transcripts are sent behind the next `session.updated`, or late, and after `[disorder]` before their
 * items are committed.
 */
export class SimulatedSession implements RealtimeSession {
  readonly model: string | undefined;
  readonly headers: RealtimeSession['headers'];
  readonly socket: WebSocket;
  readonly #labelOf: NonNullable<SimulationOptions['labelOf']>;
  label: string | undefined;
  readonly received: string[] = [];
  readonly billed: RealtimeUsage[] = [];
  readonly transcribed: JsonObject[] = [];
  readonly #conversation = new RealtimeConversation();
  #next = 0;
  #responses = 0;
  #said = '';
  readonly #held = new Set<string>();
  #sound = 0;
  #detectsTurns = true;
  #transcriber: string | undefined;
  #items = 0;
  #isLate = false;
  #isDisordered = false;
  #lateTranscripts: (() => void)[] = [];

  constructor(socket: WebSocket, { model, headers, labelOf = () => undefined }: SessionOptions) {
    this.socket = socket;
    this.#labelOf = labelOf;
    this.model = model;
    this.headers = headers;
    socket.on('message', (data) => this.#receive(JSON.parse((data as Buffer).toString())));
    socket.on('error', () => undefined);
    const kind = model === undefined ? ofTranscription : { object: 'realtime.session', type: 'realtime', model };
    this.#send('session.created', { session: { id: 'sess_1', ...kind } });
  }

  #receive(event: JsonObject): void {
    this.received.push(String(event.type));
    switch (event.type) {
      case 'session.update':
      case 'transcription_session.update':
        return this.#update(event);
      case 'input_audio_buffer.append':
        return this.#hear(Buffer.from(String(event.audio), 'base64'));
      case 'input_audio_buffer.commit':
        return this.#commit();
      default:
        return this.model === undefined ? this.#refuse('unknown_event', event) : this.#converse(event);
    }
  }

  #converse(event: JsonObject): void {
    switch (event.type) {
      case 'conversation.item.create':
        return this.#addItem(event);
      case 'response.create':
        if (this.#held.size > 0) return this.#refuse('conversation_already_has_active_response', event);
        return this.#said.includes('[slow]') ? this.#later(() => this.#answer()) : this.#answer();
      case 'response.cancel':
        return this.#cancel(event);
      default:
        return this.#refuse('unknown_event', event);
    }
  }

  #update({ type, session }: JsonObject): void {
    const input = inputOf(session);
    if ('turn_detection' in input) this.#detectsTurns = input.turn_detection !== null;
    if (isObject(input.transcription)) this.#transcriber = String(input.transcription.model);
    if (isObject(session) && typeof session.instructions === 'string')
      this.#conversation.hearText(session.instructions.length);
    this.#send(`${String(type)}d`, { session });
    this.#sendLate();
  }

  #addItem({ item: sent }: JsonObject): void {
    this.#items += 1;
    const item: JsonObject = { id: `item_${this.#items}`, ...(isObject(sent) && sent) };
    const text = JSON.stringify(item.content ?? '');
    this.#said = text;
    if (text.includes('[late]')) this.#isLate = true;
    this.label ??= this.#labelOf(text);
    if (text.includes('[disorder]')) this.#isDisordered = true;
    this.#conversation.hearText(text.length);
    this.#send('conversation.item.added', { item });
    this.#send('conversation.item.done', { item });
  }

  #hear(bytes: Buffer): void {
    const isSound = bytes.some((byte) => byte !== 0);
    const item = { item_id: `item_${this.#items + 1}` };
    if (isSound && this.#sound === 0) this.#send('input_audio_buffer.speech_started', item);
    if (isSound) this.#sound += bytes.length;
    if (isSound || this.#sound === 0 || !this.#detectsTurns) return;
    this.#send('input_audio_buffer.speech_stopped', item);
    this.#commit();
    if (this.model !== undefined) this.#answer();
  }

  #commit(): void {
    const bytes = this.#sound;
    this.#sound = 0;
    this.#said = '';
    this.#conversation.hearAudio(bytes);
    this.#items += 1;
    const item_id = `item_${this.#items}`;
    const sendCommitted = (): void => this.#send('input_audio_buffer.committed', { item_id });
    if (!this.#isDisordered) sendCommitted();
    if (this.#transcriber !== undefined) this.#transcribe(bytes, { item_id, model: this.#transcriber });
    if (this.#isDisordered) sendCommitted();
  }

  #transcribe(bytes: number, { item_id, model }: { item_id: string; model: string }): void {
    const transcript = this.#transcriptOf(bytes, model);
    this.transcribed.push(transcript.usage);
    const send = (): void =>
      this.#send('conversation.item.input_audio_transcription.completed', { item_id, ...transcript });
    if (!this.#isLate) return send();
    this.#lateTranscripts.push(send);
    this.#later(() => this.#sendLate());
  }

  #transcriptOf(bytes: number, model: string): { transcript: string; usage: JsonObject } {
    const audio = RealtimeConversation.audioTokens(bytes);
    const details = { text_tokens: 0, audio_tokens: audio };
    const byTokens = { type: 'tokens', input_tokens: audio, input_token_details: details, output_tokens: 3 };
    return { transcript: 'Hi.', usage: byTheSecond.test(model) ? { type: 'duration', seconds: 2.4 } : byTokens };
  }

  #sendLate(): void {
    for (const send of this.#lateTranscripts.splice(0)) send();
  }

  #later(act: () => void): void {
    const timer = setTimeout(act, lateMs);
    this.socket.on('close', () => clearTimeout(timer));
  }

  #answer(): void {
    if (this.#said.includes('[mute]')) return;
    for (let more = this.#numberIn('burst'); more > 1; more -= 1) this.#held.add(this.#begin());
    if (this.#said.includes('[disorder]')) return this.#answerInDisorder();
    const id = this.#begin();
    if (this.#said.includes('[cut]')) return this.socket.terminate();
    if (this.#said.includes('[flood]')) return this.#flood(id);
    for (let piece = 0; piece < audioPieces; piece += 1) this.#speak(id);
    this.#sendLarge(id, this.#numberIn('large'));
    if (/\[hold\]|\[burst:/.test(this.#said)) this.#held.add(id);
    else this.#finish(id, this.#said.includes('[fail]') ? 'failed' : 'completed');
  }

  #answerInDisorder(): void {
    const end = this.#ended(`resp_${this.#responses + 1}`, 'completed');
    this.#send('response.done', end);
    this.#begin();
    this.#send('response.done', end);
  }

  #begin(): string {
    const id = `resp_${(this.#responses += 1)}`;
    this.#send('response.created', { response: { id, status: 'in_progress', output: [], usage: null } });
    return id;
  }

  #numberIn(word: string): number {
    return Number(new RegExp(`\\[${word}:(\\d+)\\]`).exec(this.#said)?.[1] ?? 0);
  }

  #sendLarge(response_id: string, bytes: number): void {
    const event = { type: 'response.output_text.delta', response_id, delta: '' };
    const missing = bytes - JSON.stringify(event).length;
    if (missing > 0) this.socket.send(JSON.stringify({ ...event, delta: 'x'.repeat(missing) }));
  }

  #speak(response_id: string): void {
    const delta = Buffer.alloc(pieceBytes, 1).toString('base64');
    this.#send('response.output_audio.delta', { response_id, item_id: 'item_2', delta });
    this.#send('response.output_audio_transcript.delta', { response_id, item_id: 'item_2', delta: 'word ' });
  }

  #flood(id: string): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (this.socket.bufferedAmount < 64 * 1024) this.#speak(id);
    setImmediate(() => this.#flood(id));
  }

  /** The one that is named, or else the first. */
  #cancel({ response_id = [...this.#held][0] }: JsonObject): void {
    if (typeof response_id === 'string' && this.#held.delete(response_id)) this.#finish(response_id, 'cancelled');
  }

  #finish(id: string, status: string): void {
    const end = this.#ended(id, status);
    this.#send('response.done', end);
    if (this.#said.includes('[twice]')) this.#send('response.done', end);
  }

  #ended(id: string, status: string): JsonObject {
    const usage = this.#conversation.answer({ characters: 5 * audioPieces, audioBytes: pieceBytes * audioPieces });
    this.billed.push(usage);
    return { response: { id, status, output: [{ type: 'message', content: [] }], usage } };
  }

  #refuse(code: string, { event_id = null }: JsonObject): void {
    this.#send('error', { error: { type: 'invalid_request_error', code, message: 'Refused.', event_id } });
  }

  #send(type: string, members: JsonObject): void {
    this.socket.send(JSON.stringify({ type, event_id: `event_${(this.#next += 1)}`, ...members }));
  }
}

const ofTranscription = { object: 'realtime.transcription_session', type: 'transcription' };

/** In the shape of before general availability as well. */
function inputOf(session: unknown): JsonObject {
  const { audio, input_audio_transcription: before }: JsonObject = isObject(session) ? session : {};
  const input = isObject(audio) ? audio.input : { transcription: before };
  return isObject(input) ? input : {};
}
