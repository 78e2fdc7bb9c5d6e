import type { ArrivedRequest } from '../route.ts';
import { formParts } from './images/form.ts';

/** A form with audio. */
export interface TranscriptionForm {
  readonly task: 'transcribe' | 'translate';
  /** Empty if there is none. */
  readonly file: Buffer;
  /** Of repeated fields, the last one. */
  readonly fields: Readonly<Record<string, string>>;
}

/** Reads a form; the address names the task. */
export function transcriptionForm({ body, headers, path }: ArrivedRequest): TranscriptionForm {
  const parts = formParts(body, headers['content-type']) ?? [];
  return {
    task: path.endsWith('/translations') ? 'translate' : 'transcribe',
    file: parts.find(({ name, type }) => name === 'file' && type !== undefined)?.content ?? Buffer.alloc(0),
    fields: Object.fromEntries(
      parts.flatMap(({ name, type, content }) => (type === undefined ? [[name, content.toString()]] : [])),
    ),
  };
}
