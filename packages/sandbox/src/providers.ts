/** The model all sandbox providers share. */
export const sharedModel = 'sandbox-chat';

/** Streams as fast as the socket takes it. */
export const fastModel = 'sandbox-fast';

/** Sends `reasoning_content` before it answers. */
export const reasoningModel = 'sandbox-reasoner';

/** Calls every tool it is given, not only the first. */
export const toolModel = 'sandbox-tools';

/** Makes and edits images; all sandbox providers have it. Chats with it are refused. */
export const imageModel = 'sandbox-image';

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
