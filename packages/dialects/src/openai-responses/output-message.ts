import type { Annotation, TokenLogprob } from '@tallyport/wire';
import type { EndStatus } from './output-events.ts';
import type { OutputItems } from './output-items.ts';
import type { OutputCitation, OutputLogprob, OutputPart, OutputText } from './output-types.ts';

export interface OpenMessage {
  text(delta: string, logprobs: readonly TokenLogprob[]): void;
  refusal(delta: string): void;
  annotate(annotations: readonly Annotation[]): void;
  close(status: EndStatus): void;
}

/** A message item that is open. Its parts follow each other; a part ends where the next begins. */
export function openMessage(items: OutputItems): OpenMessage {
  const head = { type: 'message' as const, id: items.newId('msg'), role: 'assistant' as const };
  const place = items.open({ ...head, status: 'in_progress', content: [] });
  const content: OutputPart[] = [];
  let part: OutputPart | undefined;

  const here = () => ({ ...place, content_index: content.length });

  function begin<Part extends OutputPart>(begun: Part): Part {
    closePart();
    items.emit('response.content_part.added', { ...here(), part: structuredClone<OutputPart>(begun) });
    part = begun;
    return begun;
  }

  function closePart(): void {
    if (part === undefined) return;
    if (part.type === 'refusal') items.emit('response.refusal.done', { ...here(), refusal: part.refusal });
    else items.emit('response.output_text.done', { ...here(), text: part.text, logprobs: part.logprobs });
    items.emit('response.content_part.done', { ...here(), part });
    content.push(part);
    part = undefined;
  }

  const textPart = (): OutputText =>
    part?.type === 'output_text' ? part : begin({ type: 'output_text', text: '', annotations: [], logprobs: [] });

  return {
    text(delta, tokens) {
      const written = textPart();
      const logprobs = tokens.map(logprobOf);
      written.text += delta;
      for (const logprob of logprobs) written.logprobs.push(logprob);
      items.emit('response.output_text.delta', { ...here(), delta, logprobs });
    },
    refusal(delta) {
      const written = part?.type === 'refusal' ? part : begin({ type: 'refusal', refusal: '' });
      written.refusal += delta;
      items.emit('response.refusal.delta', { ...here(), delta });
    },
    annotate(annotations) {
      const written = textPart();
      for (const annotation of annotations.map(citationOf)) {
        const added = { annotation_index: written.annotations.length, annotation };
        items.emit('response.output_text.annotation.added', { ...here(), ...added });
        written.annotations.push(annotation);
      }
    },
    close(status) {
      closePart();
      items.close(place, { ...head, status, content });
    },
  };
}

const citationOf = ({ url_citation: { url, title, start_index, end_index } }: Annotation): OutputCitation => ({
  type: 'url_citation',
  url,
  title,
  start_index,
  end_index,
});

const logprobOf = ({ token, bytes, logprob, top_logprobs: top }: TokenLogprob): OutputLogprob => ({
  token,
  bytes: bytes ?? [],
  logprob,
  top_logprobs: top.map((other) => ({ token: other.token, bytes: other.bytes ?? [], logprob: other.logprob })),
});
