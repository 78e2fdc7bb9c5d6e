import type { ImageAbilities, ImageCall, ImageContext, ImageJob, ImagePart } from '../spec/image-provider.ts';
import { named } from '../images/entry.ts';
import { type CheckedImageCall, imageFamily, posted } from '../images/image-family.ts';
import { imageUrl } from '../images/inputs.ts';
import type { ImagesInAnswer } from '../images/result.ts';
import { sizeMember } from '../images/requested-size.ts';
import type { Address, Configured } from '../spec/provider.ts';
import type { UpstreamRequest } from '../spec/upstream-request.ts';
import { isMembers, items, type Members, members, text } from '../read.ts';
import { alibaba as chat } from './chat.ts';
import { abilitiesOf, runsAsJob } from './image-models.ts';

/** Chats use OpenAI's format under their own path; the vendor's own image API is on the same host. */
function imageAddress({ baseUrl = chat.baseUrl }: Configured): Address {
  const base = baseUrl.replace(/\/+$/, '').replace(/\/compatible-mode\/v1$/, '');
  return { baseUrl: base.endsWith('/api/v1') ? base : `${base}/api/v1` };
}

/** Qwen and Wan image models. */
export const alibabaImage = imageFamily(
  { ...chat, baseUrl: 'https://dashscope-intl.aliyuncs.com/api/v1', address: imageAddress },
  {
    resultHosts: ['*.aliyuncs.com'],
    abilities: ({ modelName }) => abilitiesOf(modelName),
    request: toRequest,
    read,
    error: chat.error,
  },
);

const synchronous = '/services/aigc/multimodal-generation/generation';
const asJob = '/services/aigc/text2image/image-synthesis';

function toRequest({ call, offer, abilities }: CheckedImageCall): UpstreamRequest {
  const { modelName: model } = offer;
  const parameters = parametersOf(call, abilities);
  if (runsAsJob(model)) {
    return posted(asJob, { model, input: { prompt: call.prompt }, parameters }, { 'x-dashscope-async': 'enable' });
  }
  const content = [...call.images.map((image) => ({ image: imageUrl(image) })), { text: call.prompt }];
  return posted(synchronous, { model, input: { messages: [{ role: 'user', content }] }, parameters });
}

function parametersOf(call: ImageCall, { sizes }: ImageAbilities): object {
  const seed = call.config?.seed;
  return {
    ...sizeMember(call, sizes, '*'),
    n: call.n,
    ...(seed !== undefined && { seed }),
    watermark: false,
  };
}

/** The state and the results of a job are in the same member as the results of a synchronous call. */
function read(body: Members, _context: ImageContext): ImagesInAnswer | ImageJob {
  const output = members(body.output);
  const state = text(output.task_status);
  const task = text(output.task_id);
  if (task !== undefined && (state === 'PENDING' || state === 'RUNNING')) return waiting(task);
  const results = items(output.results).filter(isMembers);
  // A failed job has its error code at the top level of `output`.
  const failed = [...results, ...(state === 'FAILED' ? [output] : [])].filter(({ code }) => text(code) !== undefined);
  return {
    kind: 'made',
    images: [...results.flatMap((result) => imageAt(result.url, result) ?? []), ...imagesIn(output)],
    failures: failed.map((result) => chat.error(500, {}, result)),
  };
}

const betweenLooks = 2_000;

const waiting = (task: string): ImageJob => ({
  kind: 'waiting',
  next: {
    method: 'GET',
    path: `/tasks/${encodeURIComponent(task)}`,
    headers: { accept: 'application/json' },
    body: '',
  },
  afterMs: betweenLooks,
});

/** Some models return several images as several choices, others as several entries of one choice. */
const imagesIn = (output: Members): ImagePart[] =>
  items(output.choices)
    .flatMap((choice) => items(members(members(choice).message).content))
    .flatMap((entry) => imageAt(members(entry).image) ?? []);

function imageAt(address: unknown, details: Members = {}): ImagePart | undefined {
  const url = text(address);
  if (url === undefined) return undefined;
  return { source: { url, mediaType: 'image/png' }, ...named('revisedPrompt', text(details.actual_prompt)) };
}
