import type { StepList } from './step-list.ts';

export interface OpenThought {
  text(delta: string): void;
  /** `sealed`: what vendors want back. */
  close(sealed: string | undefined): void;
}

/** A step of thinking that is open. Its signature is what vendors want back, in the base64 of this API. */
export function openThought(steps: StepList): OpenThought {
  const index = steps.open({ type: 'thought' });
  let text = '';

  return {
    text(delta) {
      text += delta;
      steps.delta(index, { type: 'thought_summary', content: { type: 'text', text: delta } });
    },
    close(sealed) {
      const signature = sealed === undefined ? undefined : Buffer.from(sealed).toString('base64');
      if (signature !== undefined) steps.delta(index, { type: 'thought_signature', signature });
      steps.close(index, {
        type: 'thought',
        ...(text !== '' && { summary: [{ type: 'text', text }] }),
        ...(signature !== undefined && { signature }),
      });
    },
  };
}
