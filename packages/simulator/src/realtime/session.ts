import { isObject, type JsonObject } from '@tallyport/sandbox';
import type { WebSocket } from 'ws';
import { RealtimeConversation, type RealtimeUsage } from './conversation.ts';

/** A session, as tests see it. */
export interface RealtimeSession {
  readonly model: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The types of the events that were received, in order. */
  readonly received: readonly string[];
  /** What is billed for its responses, in order. */
  readonly billed: readonly RealtimeUsage[];
  /** What is billed for what it wrote down. */
  readonly transcribed: readonly JsonObject[];
  readonly socket: WebSocket;
}

const audioPieces = 4;
const pieceBytes = 2_400;

/**
 * Plays OpenAI's realtime API: texts and audio in, audio and its transcript out. Sound is anything but zeros, and silence
 * after it starts a response, unless `turn_detection` is null. Words in a text change its answer: `[hold]` begins a response
 * that ends when it is cancelled, `[cut]` one that breaks the connection, `[fail]` one that fails, `[twice]` reports its end
 * twice, `[mute]` begins none, and `[flood]` sends events until the connection ends.
 */
export class SimulatedSession implements RealtimeSession {
  readonly model: string;
  readonly headers: RealtimeSession['headers'];
  readonly socket: WebSocket;
  readonly received: string[] = [];
  readonly billed: RealtimeUsage[] = [];
  readonly transcribed: JsonObject[] = [];
  readonly #conversation = new RealtimeConversation();
  #next = 0;
  #said = '';
  #held: string | undefined;
  #sound = 0;
  #detectsTurns = true;
  #transcriber: string | undefined;

  constructor(socket: WebSocket, { model, headers }: Pick<RealtimeSession, 'model' | 'headers'>) {
    this.socket = socket;
    this.model = model;
    this.headers = headers;
    socket.on('message', (data) => this.#receive(JSON.parse((data as Buffer).toString())));
    socket.on('error', () => undefined);
    this.#send('session.created', { session: { id: 'sess_1', object: 'realtime.session', type: 'realtime', model } });
  }

  #receive(event: JsonObject): void {
    this.received.push(String(event.type));
    switch (event.type) {
      case 'session.update':
        return this.#update(event);
      case 'conversation.item.create':
        return this.#addItem(event);
      case 'input_audio_buffer.append':
        return this.#hear(Buffer.from(String(event.audio), 'base64'));
      case 'input_audio_buffer.commit':
        return this.#commit();
      case 'response.create':
        if (this.#held !== undefined) return this.#refuse('conversation_already_has_active_response', event);
        return this.#answer();
      case 'response.cancel':
        return this.#cancel();
      default:
        return this.#refuse('unknown_event', event);
    }
  }

  #update({ session }: JsonObject): void {
    const input = inputOf(session);
    if ('turn_detection' in input) this.#detectsTurns = input.turn_detection !== null;
    if (isObject(input.transcription)) this.#transcriber = String(input.transcription.model);
    if (isObject(session) && typeof session.instructions === 'string')
      this.#conversation.hearText(session.instructions.length);
    this.#send('session.updated', { session });
  }

  #addItem({ item }: JsonObject): void {
    const text = JSON.stringify(isObject(item) ? item.content : '');
    this.#said = text;
    this.#conversation.hearText(text.length);
    this.#send('conversation.item.added', { item });
    this.#send('conversation.item.done', { item });
  }

  #hear(bytes: Buffer): void {
    const isSound = bytes.some((byte) => byte !== 0);
    if (isSound && this.#sound === 0) this.#send('input_audio_buffer.speech_started', { item_id: 'item_1' });
    if (isSound) this.#sound += bytes.length;
    if (isSound || this.#sound === 0 || !this.#detectsTurns) return;
    this.#send('input_audio_buffer.speech_stopped', { item_id: 'item_1' });
    this.#commit();
    this.#answer();
  }

  #commit(): void {
    const bytes = this.#sound;
    this.#sound = 0;
    this.#said = '';
    this.#conversation.hearAudio(bytes);
    this.#send('input_audio_buffer.committed', { item_id: 'item_1' });
    if (this.#transcriber !== undefined) this.#transcribe(bytes);
  }

  #transcribe(bytes: number): void {
    const audio = RealtimeConversation.audioTokens(bytes);
    const details = { text_tokens: 0, audio_tokens: audio };
    const byTokens = { type: 'tokens', input_tokens: audio, input_token_details: details, output_tokens: 3 };
    const usage = this.#transcriber === 'whisper-1' ? { type: 'duration', seconds: 2 } : byTokens;
    this.transcribed.push(usage);
    this.#send('conversation.item.input_audio_transcription.completed', {
      item_id: 'item_1',
      transcript: 'Hi.',
      usage,
    });
  }

  #answer(): void {
    if (this.#said.includes('[mute]')) return;
    const id = `resp_${(this.#next += 1)}`;
    this.#send('response.created', { response: { id, status: 'in_progress', output: [], usage: null } });
    if (this.#said.includes('[cut]')) return this.socket.terminate();
    if (this.#said.includes('[flood]')) return this.#flood(id);
    for (let piece = 0; piece < audioPieces; piece += 1) this.#speak(id);
    if (this.#said.includes('[hold]')) this.#held = id;
    else this.#finish(id, this.#said.includes('[fail]') ? 'failed' : 'completed');
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

  #cancel(): void {
    const id = this.#held;
    this.#held = undefined;
    if (id !== undefined) this.#finish(id, 'cancelled');
  }

  #finish(id: string, status: string): void {
    const usage = this.#conversation.answer({ characters: 5 * audioPieces, audioBytes: pieceBytes * audioPieces });
    this.billed.push(usage);
    const response = { id, status, output: [{ type: 'message', content: [] }], usage };
    this.#send('response.done', { response });
    if (this.#said.includes('[twice]')) this.#send('response.done', { response });
  }

  #refuse(code: string, { event_id = null }: JsonObject): void {
    this.#send('error', { error: { type: 'invalid_request_error', code, message: 'Refused.', event_id } });
  }

  #send(type: string, members: JsonObject): void {
    this.socket.send(JSON.stringify({ type, event_id: `event_${(this.#next += 1)}`, ...members }));
  }
}

function inputOf(session: unknown): JsonObject {
  const audio = isObject(session) ? session.audio : undefined;
  const input = isObject(audio) ? audio.input : undefined;
  return isObject(input) ? input : {};
}
