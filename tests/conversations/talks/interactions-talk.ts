import { GoogleGenAI, type Interactions } from '@google/genai';
import { pixel } from '../../clients/rig.ts';
import { reminder, type Said, type Talk, talkTool, type TalkTerms } from './talk.ts';

const tools: Interactions.Tool[] = [
  { type: 'function', name: talkTool.name, description: talkTool.description, parameters: talkTool.schema },
];

/** The steps of a stream, as a client puts them together. */
async function stepsOf(events: AsyncIterable<Interactions.InteractionSSEEvent>): Promise<Interactions.Step[]> {
  const steps: Interactions.Step[] = [];
  for await (const event of events) {
    if (event.event_type === 'step.start') steps[event.index] = { ...event.step };
    const step = event.event_type === 'step.delta' ? steps[event.index] : undefined;
    if (event.event_type === 'step.delta' && step !== undefined) grow(step, event.delta);
  }
  for (const step of steps) if (step.type === 'function_call') step.arguments = argumentsOf(step);
  return steps;
}

const written = new WeakMap<object, string>();

const argumentsOf = (step: Interactions.FunctionCallStep): Interactions.FunctionCallStep['arguments'] =>
  JSON.parse(written.get(step) ?? '{}');

function grow(step: Interactions.Step, delta: Interactions.StepDelta['delta']): void {
  switch (delta.type) {
    case 'arguments_delta':
      written.set(step, (written.get(step) ?? '') + (delta.arguments ?? ''));
      return;
    case 'thought_signature':
      Object.assign(step, { signature: delta.signature });
      return;
    case 'thought_summary':
      if (step.type === 'thought') step.summary = [...(step.summary ?? []), delta.content as Interactions.TextContent];
      return;
    default:
      if (step.type === 'model_output' && delta.type === 'text') (step.content ??= []).push(delta);
  }
}

/** A client that sends the whole conversation, with the steps of the answers as they arrived. */
export function interactionsTalk({ rig, model, stream }: TalkTerms): Talk {
  const { baseUrl, apiKey } = rig.gateway;
  const { interactions } = new GoogleGenAI({ apiKey, vertexai: false, httpOptions: { baseUrl } });
  const input: Interactions.Step[] = [];

  async function go(): Promise<Said> {
    const body = {
      model: model(),
      input,
      tools,
      store: false,
      generation_config: { thinking_summaries: 'auto' as const },
    };
    const steps = stream
      ? await stepsOf(await interactions.create({ ...body, stream: true }))
      : (await interactions.create({ ...body, stream: false })).steps;
    input.push(...steps);
    const calls = steps.flatMap((step) => (step.type === 'function_call' ? [{ id: step.id, name: step.name }] : []));
    const contents = steps.flatMap((step) => (step.type === 'model_output' ? (step.content ?? []) : []));
    return { calls, text: contents.map((content) => (content.type === 'text' ? content.text : '')).join('') };
  }

  return {
    ask(text) {
      input.push({ type: 'user_input', content: [{ type: 'text', text }] });
      return go();
    },
    answer(calls, { text, beside }) {
      const picture = { type: 'image' as const, mime_type: 'image/png' as const, data: pixel };
      const result = beside === 'picture' ? [{ type: 'text' as const, text }, picture] : text;
      for (const { id, name } of calls) input.push({ type: 'function_result', call_id: id, name, result });
      if (beside === 'text')
        input.push({ type: 'user_input', content: [{ type: 'text', text: `${reminder} ${text}` }] });
      return go();
    },
  };
}
