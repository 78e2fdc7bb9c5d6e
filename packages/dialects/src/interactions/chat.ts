import type { ChatRequest } from '@tallyport/wire';
import { toChatMembers } from '../gemini/generation-config.ts';
import { tierOfGemini } from '../gemini/request.ts';
import type { GenerationConfigBody } from '../gemini/request-schema.ts';
import { refuseMember } from '../refuse-member.ts';
import type { PlacedStep } from './input.ts';
import { stepMessages } from './messages.ts';
import type { InteractionBody, InteractionConfig } from './request-schema.ts';
import { interactionTools } from './tools.ts';

/** The request as a chat, with the steps of its conversation. Not part of it: `store`, and `labels`, which the answer repeats. */
export function toChat(body: InteractionBody, steps: readonly PlacedStep[]): ChatRequest {
  const { model, stream, tools, generation_config: config } = body;
  const tier = tierOfGemini(body.service_tier);
  const image = imageConfigOf(body);
  return {
    model,
    messages: stepMessages(steps, body.system_instruction),
    ...toChatMembers(geminiConfig(body)),
    ...interactionTools(tools ?? [], config?.tool_choice),
    ...(image && { image_config: image }),
    ...(tier && { service_tier: tier }),
    // The usage is part of every stream of this API.
    ...(stream === true && { stream: true, stream_options: { include_usage: true } }),
  };
}

/** Google's two APIs configure an answer alike. */
function geminiConfig(body: InteractionBody): GenerationConfigBody {
  const { generation_config: config } = body;
  const { temperature, top_p: topP, seed, max_output_tokens, stop_sequences } = config ?? {};
  const { mime_type: type = body.response_mime_type, schema } = textFormatOf(body);
  return {
    temperature,
    topP,
    seed,
    maxOutputTokens: max_output_tokens,
    stopSequences: stop_sequences,
    responseMimeType: type,
    responseJsonSchema: schema,
    responseModalities: modalitiesOf(body),
    thinkingConfig: thinkingOf(config ?? {}),
  };
}

const levels = { minimal: 'MINIMAL', low: 'LOW', medium: 'MEDIUM', high: 'HIGH', xhigh: 'XHIGH' } as const;

export const wantsThoughts = ({ generation_config: config }: Pick<InteractionBody, 'generation_config'>): boolean =>
  config?.thinking_summaries === 'auto';

const thinkingOf = ({ thinking_level: level, thinking_summaries: summaries }: InteractionConfig) => ({
  thinkingLevel: level && levels[level],
  includeThoughts: summaries === 'auto',
});

type Format = Exclude<InteractionBody['response_format'], readonly unknown[] | null | undefined>;
type FormatOf<Type> = Extract<Format, { type: Type }>;

function formatsOf({ response_format: format }: InteractionBody): readonly Format[] {
  if (format == null) return [];
  if (!Array.isArray(format)) return [format];
  const images = format.filter(isOfType('image')).length;
  if (images > 1 || format.length - images > 1) {
    return refuseMember('response_format', 'names two formats of texts or of images; send one of each');
  }
  return format;
}

const isOfType =
  <Type extends 'image' | 'text'>(type: Type) =>
  (format: Format): format is FormatOf<Type> =>
    format.type === type;

interface TextFormat {
  mime_type?: FormatOf<'text'>['mime_type'];
  schema?: Record<string, unknown> | null | undefined;
}

/** Of a JSON schema by itself, its `type` is that of the value. */
function textFormatOf(body: InteractionBody): TextFormat {
  const formats = formatsOf(body);
  const text = formats.find(isOfType('text'));
  if (text !== undefined) return text;
  const schema = formats.find((format) => !isOfType('image')(format));
  return schema === undefined ? {} : { schema };
}

const imageFormatOf = (body: InteractionBody) => formatsOf(body).find(isOfType('image'));

function modalitiesOf(body: InteractionBody): GenerationConfigBody['responseModalities'] {
  if (body.response_modalities != null)
    return body.response_modalities.map((each) => (each === 'image' ? 'IMAGE' : 'TEXT'));
  if (imageFormatOf(body) === undefined) return undefined;
  return formatsOf(body).length === 1 ? ['IMAGE'] : ['TEXT', 'IMAGE'];
}

/** A format may say only some of it. */
function imageConfigOf(body: InteractionBody): Record<string, unknown> | undefined {
  const format = imageFormatOf(body);
  const config = body.generation_config?.image_config;
  const ratio = format?.aspect_ratio ?? config?.aspect_ratio;
  const size = format?.image_size ?? config?.image_size;
  if ((ratio ?? size) == null) return undefined;
  return { ...(ratio != null && { aspect_ratio: ratio }), ...(size != null && { image_size: size }) };
}
