import type { AnswerImage, Annotation } from '@tallyport/wire';
import { isMembers, items, type Members, members, text } from '../read.ts';

/** Text and thinking of a message or delta. `content` may be a text or parts, and thinking has several names. */
export interface AnswerText {
  content: string | undefined;
  reasoning: string | undefined;
}

export function spokenIn(message: Members): AnswerText {
  const thinking =
    text(message.reasoning_content) ??
    text(message.reasoning) ??
    joined(items(message.reasoning_details), textOfDetail);
  if (!Array.isArray(message.content)) return { content: text(message.content), reasoning: thinking };
  return {
    content: joined(message.content, textOfPart),
    reasoning: thinking ?? joined(message.content, thinkingOfPart),
  };
}

export function generatedImages(message: Members): AnswerImage[] | undefined {
  const listed = items(message.images);
  if (listed.length === 0) return undefined;
  const images = listed.flatMap((image, index) => {
    const url = text(members(members(image).image_url).url);
    return url === undefined ? [] : [{ type: 'image_url' as const, image_url: { url }, index }];
  });
  return images.length === 0 ? undefined : images;
}

export function annotationsIn(message: Members): Annotation[] | undefined {
  const annotations = items(message.annotations).filter(isAnnotation);
  return annotations.length === 0 ? undefined : annotations;
}

const isAnnotation = (value: unknown): value is Annotation =>
  isMembers(value) && value.type === 'url_citation' && typeof members(value.url_citation).url === 'string';

const textOfPart = (part: Members): string | undefined =>
  part.type === undefined || part.type === 'text' || part.type === 'output_text' ? text(part.text) : undefined;

const thinkingOfPart = (part: Members): string | undefined => {
  if (part.type !== 'thinking') return undefined;
  return text(part.thinking) ?? joined(items(part.thinking), textOfPart);
};

const textOfDetail = (detail: Members): string | undefined => text(detail.text) ?? text(detail.summary);

function joined(parts: readonly unknown[], read: (part: Members) => string | undefined): string | undefined {
  if (parts.length === 0) return undefined;
  return text(parts.map((part) => (typeof part === 'string' ? part : read(members(part))) ?? '').join(''));
}
