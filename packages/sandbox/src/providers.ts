/** The model all sandbox providers share. */
export const sharedModel = 'sandbox-chat';

/** Streams as fast as the socket accepts. */
export const fastModel = 'sandbox-fast';

/** Sends `reasoning_content` before the answer. */
export const reasoningModel = 'sandbox-reasoner';

/** Calls every offered tool, not only the first. */
export const toolModel = 'sandbox-tools';

/** Makes and edits images at all sandbox providers. Chats with it are refused. */
export const imageModel = 'sandbox-image';

/** Turns text into vectors at all sandbox providers. Chats with it are refused. */
export const embeddingModel = 'sandbox-embedding';

/** Moderates at all sandbox providers. Chats with it are refused. */
export const moderationModel = 'sandbox-moderation';

/** Answers questions with probabilities at all sandbox providers. Chats with it are refused. */
export const decisionModel = 'sandbox-decision';

/** Ranks documents at all sandbox providers. Chats with it are refused. */
export const rerankModel = 'sandbox-rerank';

/** Speaks at all sandbox providers. Chats with it are refused. */
export const speechModel = 'sandbox-speech';

/** Writes audio down at all sandbox providers. Chats with it are refused. */
export const transcriptionModel = 'sandbox-transcription';

export interface SandboxProvider {
  readonly id: string;
  readonly models: readonly string[];
}

export const sandboxProviders: readonly SandboxProvider[] = [
  { id: 'sandbox-a', models: [sharedModel, fastModel] },
  { id: 'sandbox-b', models: [sharedModel, reasoningModel] },
  { id: 'sandbox-c', models: [sharedModel, toolModel] },
];

export const sandboxBasePath = (id: string): string => `/${id}/v1`;
