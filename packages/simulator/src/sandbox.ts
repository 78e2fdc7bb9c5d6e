/** A provider as the simulator plays it, reached under `/<id>/v1`. */
export interface SimulatedProvider {
  readonly id: string;
  /** Absent: every model name is known. */
  readonly models?: readonly string[];
  /** Whether members OpenAI does not know are refused, as OpenAI does. */
  readonly refusesUnknownParameters: boolean;
}

/** The model all sandbox providers share. */
export const sharedModel = 'sandbox-chat';

/** Streams as fast as the socket takes it. */
export const fastModel = 'sandbox-fast';

/** Thinks aloud in `reasoning_content` before it answers. */
export const reasoningModel = 'sandbox-reasoner';

/** Calls every tool it is given, not only the first. */
export const toolModel = 'sandbox-tools';

/** Makes and edits images; all sandbox providers have it. Chats with it are refused. */
export const imageModel = 'sandbox-image';

export const sandboxProviders: readonly SimulatedProvider[] = [
  { id: 'sandbox-a', models: [sharedModel, fastModel], refusesUnknownParameters: false },
  { id: 'sandbox-b', models: [sharedModel, reasoningModel], refusesUnknownParameters: false },
  { id: 'sandbox-c', models: [sharedModel, toolModel], refusesUnknownParameters: false },
];

/** Answers under the plain `/v1`, as strict as the real one, whatever the model is called. */
export const plainProvider: SimulatedProvider = { id: 'openai', refusesUnknownParameters: true };
