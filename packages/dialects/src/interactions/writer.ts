import { type GatewayError, lateInteractionError } from '@tallyport/contracts';
import type { ChatChunk, ChunkDelta, FinishReason, ServiceTier, Usage } from '@tallyport/wire';
import type { AnsweredModel } from '../answered-model.ts';
import type { EmitInteractionEvent, InteractionHead, OutputStep } from './answer-types.ts';
import { createInteractionOutput } from './output.ts';
import { createStepList } from './step-list.ts';
import { interactionUsage } from './usage.ts';

/** One translated request: what its answer needs to know of it. */
export interface InteractionTerms {
  id: string;
  modelOf: AnsweredModel;
  showsThoughts: boolean;
  previous: string | undefined;
  labels: Record<string, string> | undefined;
  /** Unix seconds. */
  created: number;
  now(): number;
}

export interface Interaction extends InteractionHead {
  steps: OutputStep[];
}

/** Writes one answer. A whole one is a few pieces of it. */
export interface InteractionWriter {
  add(delta: ChunkDelta, finish: FinishReason | null): void;
  note(totals: { usage?: Usage | undefined; service_tier?: ChatChunk['service_tier'] | undefined }): void;
  end(): Interaction;
  fail(error: GatewayError): void;
}

export function createInteractionWriter(
  terms: InteractionTerms,
  served: string | undefined,
  emit: EmitInteractionEvent,
): InteractionWriter {
  const { id } = terms;
  const steps = createStepList(emit);
  let calls = 0;
  const newId = () => `call_${id.slice(id.indexOf('_') + 1)}_${(calls += 1)}`;
  const output = createInteractionOutput(steps, { ...terms, newId });
  const model = terms.modelOf(served);
  let usage: Usage | undefined;
  let tier: ServiceTier | null | undefined;
  let finish: FinishReason | null = null;

  emit('interaction.created', { interaction: headOf(terms, model, { status: 'in_progress' }) });

  return {
    add(delta, reason) {
      output.add(delta);
      finish = reason ?? finish;
    },
    note(totals) {
      usage = totals.usage ?? usage;
      tier = totals.service_tier ?? tier;
    },
    end() {
      output.close();
      const interaction = headOf(terms, model, {
        ...endOf({ finish, called: output.called(), malformed: output.malformed() }),
        ...(tier && { service_tier: tier === 'default' ? 'standard' : tier }),
        ...(usage && { usage: interactionUsage(usage) }),
      });
      emit('interaction.completed', { interaction });
      return { ...interaction, steps: steps.finished() };
    },
    fail: (error) => emit('error', { error: lateInteractionError(error) }),
  };
}

/** An interaction without its steps. */
export const headOf = (
  { id, created, previous, labels, now }: InteractionTerms,
  model: string,
  state: Pick<InteractionHead, 'status' | 'errors' | 'usage' | 'service_tier'>,
): InteractionHead => ({
  id,
  object: 'interaction',
  ...state,
  created: timeOf(created),
  updated: timeOf(now()),
  model,
  ...(previous !== undefined && { previous_interaction_id: previous }),
  ...(labels && { labels }),
});

/** As this API writes times. */
export const timeOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');

/** Of a call, in characters: a model may write arguments without end. */
const mostShown = 1_000;

interface Ending {
  finish: FinishReason | null;
  called: boolean;
  malformed: { name: string; arguments: string } | undefined;
}

function endOf({ finish, called, malformed }: Ending): Pick<InteractionHead, 'status' | 'errors'> {
  if (finish === 'length') return { status: 'incomplete' };
  if (finish === 'content_filter') return incomplete('content_filter', 'A filter of contents ended the answer.');
  if (malformed !== undefined) {
    const shown = `${malformed.name}(${malformed.arguments})`.slice(0, mostShown);
    return incomplete('malformed_function_call', `Malformed function call: ${shown}`);
  }
  return { status: called ? 'requires_action' : 'completed' };
}

const incomplete = (code: string, message: string) => ({
  status: 'incomplete' as const,
  errors: [{ code, message }],
});
