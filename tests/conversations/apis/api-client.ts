import type { Part, Question } from '../turns.ts';

/** An API of clients: how a question is written, and how an answer is read. */
export interface ApiClient {
  title: string;
  path(question: Question): string;
  body(question: Question): object;
  /** Reads the body of a whole answer. */
  whole(text: string): Part[];
  /** Reads the data of the events of a stream. */
  streamed(events: readonly string[]): Part[];
}
