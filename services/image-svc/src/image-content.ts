import type { RequestHead } from '@tallyport/contracts';
import type { ImageCall } from '@tallyport/providers';
import type { ContentPiece, ContentReader } from '@tallyport/serving';
import { z } from 'zod';

/** Reads the content of a request for images, of which no pixels are kept; `undefined` if its account keeps none. */
export function imageContent({ principal }: RequestHead, call: ImageCall): ContentReader | undefined {
  if (principal?.contentLog === undefined) return undefined;
  return { prompt: () => imagePrompt(call), answer: imageAnswer };
}

function* imagePrompt({ prompt, images, mask }: ImageCall): Generator<ContentPiece> {
  yield { kind: 'text', text: prompt };
  for (const image of [...images, ...(mask ? [mask] : [])]) {
    yield { kind: 'file', ...('mediaType' in image && { mediaType: image.mediaType }) };
  }
}

const image = z.object({ b64_json: z.string(), output_format: z.string().optional() });

const answerSchema = z.object({ data: z.array(image), output_format: z.string().optional() });

const eventSchema = image.extend({ type: z.string().regex(/\.completed$/) });

/** The images of an answer, or the one in an event of it; partial images are left out. */
function imageAnswer(document: object): ContentPiece[] {
  const { data: answer } = answerSchema.safeParse(document);
  if (answer !== undefined) return answer.data.map((each) => imagePiece({ ...answer, ...each }));
  const { data: event } = eventSchema.safeParse(document);
  return event === undefined ? [] : [imagePiece(event)];
}

const imagePiece = ({ b64_json: base64, output_format: format = 'png' }: z.infer<typeof image>): ContentPiece => ({
  kind: 'file',
  mediaType: `image/${format}`,
  bytes: Buffer.byteLength(base64, 'base64'),
});
