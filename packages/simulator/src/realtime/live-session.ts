import { isObject, type JsonObject } from '@tallyport/sandbox';
import type { WebSocket } from 'ws';
import { LiveConversation, type LiveUsage } from './live-conversation.ts';
import type { RealtimeSession } from './session.ts';

/** A session of Google's Live API, as tests see it. */
export interface LiveSession {
  /** Of the setup; empty before it. */
  readonly model: string;
  readonly setup: JsonObject | undefined;
  readonly headers: RealtimeSession['headers'];
  /** The names of the messages that were received, in order. */
  readonly received: readonly string[];
  /** What is billed for its generations, in order. */
  readonly billed: readonly LiveUsage[];
  readonly socket: WebSocket;
}

const audioPieces = 4;
const pieceBytes = 2_400;
const words = 'word '.repeat(audioPieces);

/**
 * Plays Google's Live API: texts, images and audio in, audio and its transcript out. Sound is anything but zeros, and silence
 * after it starts an answer. Words in a text change that: `[hold]` begins one that ends when it is interrupted, `[cut]` one
 * that breaks the connection, `[tool]` calls a function first, `[apart]` bills in a message of its own, before the last audio,
 * `[quiet]` begins none, `[bad]` is refused, `[away]` announces the end of the connection, and `[flood]` sends until it ends.
 * The model `gemini-live-mute` never completes a setup, and `gemini-live-refused` is not found.
 */
export class SimulatedLiveSession implements LiveSession {
  readonly headers: LiveSession['headers'];
  readonly socket: WebSocket;
  readonly received: string[] = [];
  readonly billed: LiveUsage[] = [];
  readonly #conversation = new LiveConversation();
  model = '';
  setup: JsonObject | undefined;
  #said = '';
  #isHeld = false;
  #sound = 0;
  #calls = 0;

  constructor(socket: WebSocket, headers: LiveSession['headers']) {
    this.socket = socket;
    this.headers = headers;
    socket.on('message', (data) => this.#receive(JSON.parse((data as Buffer).toString())));
    socket.on('error', () => undefined);
  }

  #receive(message: JsonObject): void {
    const [name = ''] = Object.keys(message);
    this.received.push(name);
    const value = isObject(message[name]) ? message[name] : {};
    if (this.setup === undefined && name !== 'setup') return this.#refuse('The first message must be setup.');
    switch (name) {
      case 'setup':
        return this.#setUp(value);
      case 'clientContent':
      case 'client_content':
        return this.#read(value);
      case 'realtimeInput':
        return this.#perceive(value);
      case 'toolResponse':
        this.#conversation.readText(JSON.stringify(value).length);
        return this.#answer();
      default:
        return this.#refuse('Request contains an invalid argument.');
    }
  }

  #setUp(setup: JsonObject): void {
    this.setup = setup;
    this.model = String(setup.model);
    if (this.model.endsWith('gemini-live-mute')) return;
    if (this.model.endsWith('gemini-live-refused'))
      return this.socket.close(1008, `${this.model} is not found for API version v1beta.`);
    this.#conversation.readText(JSON.stringify(setup.systemInstruction ?? '').length);
    this.#send({ setupComplete: {} });
  }

  #read({ turns, turnComplete, turn_complete }: JsonObject): void {
    if (this.#isHeld) this.#interrupt();
    const text = turns === undefined ? '' : JSON.stringify(turns);
    this.#said = text;
    this.#conversation.readText(text.length);
    if (turnComplete === true || turn_complete === true) this.#answer();
  }

  #perceive({ audio, video, text }: JsonObject): void {
    if (isObject(video)) this.#conversation.see();
    if (isObject(audio)) this.#hear(Buffer.from(String(audio.data), 'base64'));
    if (typeof text !== 'string') return;
    this.#said = text;
    this.#conversation.readText(text.length);
    this.#answer();
  }

  #hear(bytes: Buffer): void {
    const isSound = bytes.some((byte) => byte !== 0);
    if (isSound && this.#isHeld) this.#interrupt();
    if (isSound) this.#sound += bytes.length;
    if (isSound || this.#sound === 0) return;
    this.#conversation.hear(this.#sound);
    this.#sound = 0;
    this.#said = '';
    this.#answer();
  }

  #answer(): void {
    const said = this.#said;
    this.#said = '';
    if (said.includes('[quiet]')) return;
    if (said.includes('[bad]')) return this.#refuse('Request contains an invalid argument.');
    if (said.includes('[tool]')) return this.#call();
    if (said.includes('[flood]')) return this.#flood();
    for (let piece = 0; piece < audioPieces - 1; piece += 1) this.#speak();
    if (said.includes('[cut]')) return this.socket.terminate();
    if (said.includes('[hold]')) return void (this.#isHeld = true);
    this.#finish(said);
  }

  #finish(said: string): void {
    const usageMetadata = this.#bill();
    if (said.includes('[apart]')) this.#send({ usageMetadata });
    this.#speak();
    this.#send({ serverContent: { generationComplete: true } });
    this.#send({ serverContent: { turnComplete: true }, ...(!said.includes('[apart]') && { usageMetadata }) });
    if (isObject(this.setup?.sessionResumption))
      this.#send({ sessionResumptionUpdate: { newHandle: `handle_${this.billed.length}`, resumable: true } });
    if (said.includes('[away]')) this.#send({ goAway: { timeLeft: '10s' } });
  }

  #call(): void {
    const functionCalls = [{ id: `call_${(this.#calls += 1)}`, name: 'weather', args: { city: 'Oslo' } }];
    const usageMetadata = this.#conversation.generate({ characters: 20, audioBytes: 0 });
    this.billed.push(usageMetadata);
    this.#send({ toolCall: { functionCalls }, usageMetadata });
  }

  #interrupt(): void {
    this.#isHeld = false;
    this.#send({ serverContent: { interrupted: true } });
    this.#send({ serverContent: { turnComplete: true }, usageMetadata: this.#bill() });
  }

  #bill(): LiveUsage {
    const usage = this.#conversation.generate({ characters: words.length, audioBytes: audioPieces * pieceBytes });
    this.billed.push(usage);
    return usage;
  }

  #speak(): void {
    const inlineData = { mimeType: 'audio/pcm;rate=24000', data: Buffer.alloc(pieceBytes, 1).toString('base64') };
    this.#send({ serverContent: { modelTurn: { role: 'model', parts: [{ inlineData }] } } });
    this.#send({ serverContent: { outputTranscription: { text: 'word ' } } });
  }

  #flood(): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (this.socket.bufferedAmount < 64 * 1024) this.#speak();
    setImmediate(() => this.#flood());
  }

  #refuse(why: string): void {
    this.socket.close(1007, why);
  }

  /** The vendor's JSON is in binary messages. */
  #send(message: JsonObject): void {
    this.socket.send(Buffer.from(JSON.stringify(message)));
  }
}
