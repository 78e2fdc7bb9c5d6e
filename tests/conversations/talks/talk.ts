import type { Rig } from '../../clients/rig.ts';

/** A call of the model's, as a client reads it. */
interface TalkCall {
  id: string;
  name: string;
}

/** What the model said in one answer. */
export interface Said {
  calls: readonly TalkCall[];
  text: string;
}

/** What a client puts beside the results of tools: a reminder, or the picture that a tool returned. */
type Beside = 'text' | 'picture' | undefined;

/** A conversation over one API, with the SDK of its maker, which keeps the model's answers as the SDK returns them. */
export interface Talk {
  ask(text: string): Promise<Said>;
  answer(calls: readonly TalkCall[], result: { text: string; beside: Beside }): Promise<Said>;
}

export interface TalkTerms {
  rig: Rig;
  /** With its provider. It may change between questions. */
  model(): string;
  stream: boolean;
}

/** The tool of every talk. */
export const talkTool = {
  name: 'weather',
  description: 'Returns the weather.',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } as const,
};

export const reminder = 'A reminder of the client: be brief.';
