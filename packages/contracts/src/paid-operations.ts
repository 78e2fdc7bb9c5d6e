import { z } from 'zod';
import { namesOf } from './by-name.ts';

interface OperationFacts {
  /** As pages show it. */
  readonly title: string;
  /** What rules for answers find in its answer; they cannot inspect one that is passed on as it arrives. */
  readonly answer: 'texts' | 'no texts' | 'passed on';
  /** A model writes, draws or speaks, in the sense of OpenTelemetry's conventions. */
  readonly isInference: boolean;
}

/** What requests that cost money are recorded as. */
export const paidOperations = {
  chat: { title: 'Chat', answer: 'texts', isInference: true },
  embeddings: { title: 'Embeddings', answer: 'no texts', isInference: false },
  moderation: { title: 'Moderation', answer: 'no texts', isInference: false },
  decision: { title: 'Decision', answer: 'no texts', isInference: false },
  rerank: { title: 'Rerank', answer: 'no texts', isInference: false },
  speech: { title: 'Speech', answer: 'no texts', isInference: true },
  transcription: { title: 'Transcription', answer: 'passed on', isInference: true },
  translation: { title: 'Translation', answer: 'passed on', isInference: true },
  realtime: { title: 'Realtime', answer: 'passed on', isInference: true },
  image_generation: { title: 'Image', answer: 'texts', isInference: true },
  image_edit: { title: 'Image edit', answer: 'texts', isInference: true },
} as const satisfies Readonly<Record<string, OperationFacts>>;

export type UsageOperation = keyof typeof paidOperations;

export const usageOperation = z.enum(namesOf(paidOperations));
