export interface UrlCitation {
  type: 'url_citation';
  url: string;
  title: string;
  start_index: number;
  end_index: number;
}

export interface InteractionText {
  type: 'text';
  text: string;
  annotations?: UrlCitation[];
}

export interface InteractionImage {
  type: 'image';
  mime_type?: string;
  data?: string;
  uri?: string;
}

export type OutputContent = InteractionText | InteractionImage;

interface OutputThought {
  type: 'thought';
  summary?: InteractionText[];
  signature?: string;
}

interface OutputMessage {
  type: 'model_output';
  content: OutputContent[];
}

interface OutputCall {
  type: 'function_call';
  id: string;
  name: string;
  arguments: Readonly<Record<string, unknown>>;
}

export type OutputStep = OutputThought | OutputMessage | OutputCall;

export type StepDelta =
  | InteractionText
  | InteractionImage
  | { type: 'text_annotation_delta'; annotations: UrlCitation[] }
  | { type: 'thought_summary'; content: InteractionText }
  | { type: 'thought_signature'; signature: string }
  | { type: 'arguments_delta'; arguments: string };

type InteractionStatus = 'in_progress' | 'requires_action' | 'completed' | 'incomplete';

export interface InteractionUsage {
  total_input_tokens: number;
  total_cached_tokens: number;
  total_output_tokens: number;
  total_thought_tokens: number;
  total_tool_use_tokens: number;
  total_tokens: number;
}

/** An interaction without its steps, as the events of a stream have it. */
export interface InteractionHead {
  id: string;
  object: 'interaction';
  status: InteractionStatus;
  created: string;
  updated: string;
  model: string;
  previous_interaction_id?: string;
  labels?: Record<string, string>;
  service_tier?: string;
  errors?: { code: string; message: string }[];
  usage?: InteractionUsage;
}

/** The members of each event beside its type and its id. */
interface InteractionEvents {
  'interaction.created': { interaction: InteractionHead };
  'interaction.completed': { interaction: InteractionHead };
  'step.start': { index: number; step: OutputStep };
  'step.delta': { index: number; delta: StepDelta };
  'step.stop': { index: number };
  error: { error: { code: string; message: string } };
}

/** Sends one event of a stream. */
export type EmitInteractionEvent = <Type extends keyof InteractionEvents>(
  type: Type,
  members: InteractionEvents[Type],
) => void;
