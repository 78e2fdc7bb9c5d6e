import type { AnswerImage, Annotation } from '@tallyport/wire';
import type { OutputContent, InteractionImage, InteractionText, UrlCitation } from './answer-types.ts';
import type { StepList } from './step-list.ts';

export interface OpenOutput {
  text(delta: string): void;
  annotate(annotations: readonly Annotation[]): void;
  image(image: AnswerImage): void;
  close(): void;
}

/** A step of output that is open. */
export function openOutput(steps: StepList): OpenOutput {
  const index = steps.open({ type: 'model_output', content: [] });
  const content: OutputContent[] = [];

  function openText(): InteractionText {
    const last = content.at(-1);
    if (last?.type === 'text') return last;
    const begun: InteractionText = { type: 'text', text: '' };
    content.push(begun);
    return begun;
  }

  return {
    text(delta) {
      openText().text += delta;
      steps.delta(index, { type: 'text', text: delta });
    },
    annotate(notes) {
      const annotations = notes.map(citationOf);
      const text = openText();
      text.annotations ??= [];
      for (const annotation of annotations) text.annotations.push(annotation);
      steps.delta(index, { type: 'text_annotation_delta', annotations });
    },
    image(image) {
      const shown = contentOf(image);
      content.push(shown);
      steps.delta(index, shown);
    },
    close: () => steps.close(index, { type: 'model_output', content }),
  };
}

const citationOf = ({ url_citation: { url, title, start_index, end_index } }: Annotation): UrlCitation => ({
  type: 'url_citation',
  url,
  title,
  start_index,
  end_index,
});

/** Images are data URLs; one of another form is an address. */
function contentOf({ image_url: { url } }: AnswerImage): InteractionImage {
  const [head, type = ''] = /^data:([^;,]+);base64,/.exec(url) ?? [];
  if (head === undefined) return { type: 'image', uri: url };
  return { type: 'image', mime_type: type, data: url.slice(head.length) };
}
