import {
  jsonReply,
  type Reply,
  type FaultDialect,
  contentHash,
  isObject,
  objectsOf,
  type JsonObject,
  openAiDialect,
  invalidRequest,
  type ApiError,
  inputImageOf,
  imageSpecOf,
  type ImageOrder,
  sizeOf,
  hasImageDirective,
} from '@tallyport/sandbox';
import { findFirst } from '../../finding.ts';
import type { ImageVendorAnswer, ImageTurn, ImageVendor } from '../vendor.ts';
import { qwenRulesOf, type QwenRules } from './alibaba-models.ts';

/** DashScope's own format: synchronous, and as a job that is polled until it finishes. */
export function createAlibaba(): ImageVendor[] {
  const jobs = createJobs();
  const common = { id: 'alibaba', dialect, refusal };
  const services = '/alibaba/api/v1/services/aigc';
  return [
    {
      ...common,
      path: new RegExp(`^${services}/multimodal-generation/generation$`),
      answer: (turn) => answerAtOnce(turn),
    },
    { ...common, path: new RegExp(`^${services}/text2image/image-synthesis$`), answer: (turn) => jobs.begin(turn) },
    { ...common, method: 'GET', path: /^\/alibaba\/api\/v1\/tasks\/[\w-]+$/, answer: (turn) => jobs.poll(turn) },
  ];
}

const requestId = '00000000-0000-9000-8000-515151515151';

const refusal = ({ status, code, message }: ApiError): Reply =>
  jsonReply(status, { request_id: requestId, code: code ?? 'InvalidParameter', message });

const words: Readonly<Record<number, readonly [code: string, message: string]>> = {
  400: ['InvalidParameter', 'Required parameter(s) missing or invalid, please check the request parameters.'],
  401: ['InvalidApiKey', 'Invalid API-key provided.'],
  402: ['Arrearage', 'Access denied, please make sure your account is in good standing.'],
  403: ['AccessDenied', 'Access denied.'],
  404: ['ModelNotFound', 'Model can not be found.'],
  429: ['Throttling.RateQuota', 'Requests rate limit exceeded, please try again later.'],
};

const dialect: FaultDialect = {
  ...openAiDialect,
  failure: (status, { code } = {}) => {
    const [own, message] = words[status] ?? ['InternalError', 'An internal error has occured, please try again later.'];
    // The vendor reports an overdue account with status 400.
    return refusal({ ...invalid(message, code ?? own), status: status === 402 ? 400 : status });
  },
};

const invalid = (message: string, code = 'InvalidParameter'): ApiError => invalidRequest(message, null, code);

const safety = invalid('Input data may contain inappropriate content.', 'DataInspectionFailed');

interface Asked {
  readonly order: ImageOrder;
  readonly rules: QwenRules;
  readonly n: number;
}

function answerAtOnce(turn: ImageTurn): ImageVendorAnswer | ApiError {
  const { input, model } = turn.body;
  const messages = isObject(input) ? objectsOf(input.messages) : [];
  if (messages.length !== 1) return invalid('The size of messages must be 1.');
  const content = objectsOf(messages[0]?.content);
  const texts = content.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  const images = content.flatMap(({ image }) => (image === undefined ? [] : [image]));
  if (texts.length !== 1) return invalid('The content must have exactly one text.');
  const asked = readAsked(turn, { model, prompt: texts[0] ?? '', images });
  return 'status' in asked ? asked : writeAnswer(turn, asked);
}

interface Given {
  readonly model: unknown;
  readonly prompt: string;
  readonly images: readonly unknown[];
}

function readAsked({ body, request }: ImageTurn, { model, prompt, images }: Given): Asked | ApiError {
  const rules = qwenRulesOf(String(model));
  if (rules === undefined) return { ...invalid('Model can not be found.', 'ModelNotFound'), status: 404 };
  const parameters = isObject(body.parameters) ? body.parameters : {};
  const fault = checkPrompt(prompt, parameters) ?? checkImages(images, rules) ?? rules.refuse(parameters);
  if (fault !== undefined) return typeof fault === 'string' ? invalid(fault) : fault;
  const inputs = images.flatMap((image) => inputImageOf(image) ?? []);
  const size = sizeOf(parameters.size, '*') ?? rules.size;
  const order: ImageOrder = {
    provider: request.provider,
    prompt,
    inputs,
    size,
    seed: parameters.seed,
    format: 'png',
  };
  return { order, rules, n: typeof parameters.n === 'number' ? parameters.n : 1 };
}

function checkPrompt(prompt: string, { negative_prompt: negative, seed }: JsonObject): ApiError | string | undefined {
  if (prompt === '' || prompt.length > 800) return 'The length of the prompt must be in [1, 800].';
  if (typeof negative === 'string' && negative.length > 500) return 'negative_prompt is too long.';
  if (seed !== undefined && !(Number.isInteger(seed) && Number(seed) >= 0 && Number(seed) <= 2_147_483_647))
    return 'The seed must be in [0, 2147483647].';
  return hasImageDirective(prompt, 'safety') ? safety : undefined;
}

function checkImages(images: readonly unknown[], { inputs: [least, most] }: QwenRules): string | undefined {
  if (images.length < least || images.length > most) return `The number of images must be in [${least}, ${most}].`;
  return findFirst(images, (image) =>
    inputImageOf(image) === undefined ? 'The image format is illegal and cannot be opened.' : undefined,
  );
}

function writeAnswer({ publish }: ImageTurn, { order, rules, n }: Asked): ImageVendorAnswer {
  const { prompt, size } = order;
  const failed = hasImageDirective(prompt, 'partial') && n > 1 ? 1 : 0;
  const made = hasImageDirective(prompt, 'no-image') ? 0 : n - failed;
  const contents = Array.from({ length: made }, (_, index) => ({ image: publish(imageSpecOf(order, index), prompt) }));
  const message = (content: readonly object[]) => ({
    finish_reason: 'stop',
    message: { role: 'assistant', content },
  });
  const reply = jsonReply(200, {
    output: {
      choices: rules.together ? [message(contents)] : contents.map((content) => message([content])),
      task_metric: { TOTAL: n, FAILED: failed, SUCCEEDED: made },
    },
    usage: rules.together
      ? { output_width: size.width, output_height: size.height, output_image_count: made }
      : { ...size, image_count: made },
    request_id: requestId,
  });
  return { reply, images: made };
}

interface Job {
  readonly asked: Asked;
  /** The number of polls so far. */
  polls: number;
}

const mostJobs = 1_000;

/** Pending when it begins, running at the first poll, and finished from the second on. */
function createJobs() {
  const jobs = new Map<string, Job>();
  return {
    begin(turn: ImageTurn): ImageVendorAnswer | ApiError {
      if (turn.request.headers['x-dashscope-async'] !== 'enable')
        return { ...invalid('current user api does not support synchronous calls.', 'AccessDenied'), status: 403 };
      const { input, model } = turn.body;
      const prompt = isObject(input) && typeof input.prompt === 'string' ? input.prompt : '';
      const asked = readAsked(turn, { model, prompt: prompt.replaceAll('[safety]', ''), images: [] });
      if ('status' in asked) return asked;
      const id = `sim-${contentHash(`${jobs.size}/${turn.request.body.toString()}`).slice(0, 24)}`;
      const oldest = jobs.keys().next().value;
      if (jobs.size >= mostJobs && oldest !== undefined) jobs.delete(oldest);
      jobs.set(id, { asked: { ...asked, order: { ...asked.order, prompt } }, polls: 0 });
      return replyWith({ task_id: id, task_status: 'PENDING' });
    },
    poll(turn: ImageTurn): ImageVendorAnswer | ApiError {
      const id = turn.request.path.split('/').at(-1) ?? '';
      const job = jobs.get(id);
      if (job === undefined) return replyWith({ task_id: id, task_status: 'UNKNOWN' });
      job.polls += 1;
      if (job.polls === 1) return replyWith({ task_id: id, task_status: 'RUNNING' });
      return jobAnswer(turn, id, job);
    },
  };
}

const replyWith = (output: object): ImageVendorAnswer => ({
  reply: jsonReply(200, { output, request_id: requestId }),
  images: 0,
});

function jobAnswer({ publish }: ImageTurn, id: string, { asked, polls }: Job): ImageVendorAnswer {
  const { order, n } = asked;
  const { prompt } = order;
  const { code, message } = safety;
  if (hasImageDirective(prompt, 'safety')) return replyWith({ task_id: id, task_status: 'FAILED', code, message });
  const results = Array.from({ length: n }, (_, index) =>
    hasImageDirective(prompt, 'partial') && index === 1
      ? { code: 'InternalError.Timeout', message: 'An internal timeout error has occured during execution.' }
      : {
          url: publish(imageSpecOf(order, index), prompt),
          orig_prompt: prompt,
          actual_prompt: `Simulated: ${prompt}`,
        },
  );
  const made = results.filter((result) => 'url' in result).length;
  const task_metrics = { TOTAL: n, SUCCEEDED: made, FAILED: n - made };
  const output = { task_id: id, task_status: 'SUCCEEDED', results, task_metrics };
  const reply = jsonReply(200, { output, usage: { image_count: made }, request_id: requestId });
  // The images are counted once, however often the job is polled.
  return { reply, images: polls === 2 ? made : 0 };
}
