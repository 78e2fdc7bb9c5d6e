import type { BedrockRules } from './models.ts';

const accepted = /^[\w-]{1,64}$/;
const ownForm = /^functions\.[\w-]+:\d+$/;

/**
 * Ids of calls as the vendor takes them back. Its own go back as they came; one of another vendor gets a name that is the
 * same wherever the request has it, and in every later request of the conversation.
 */
export function createCallIds({ ownCallIds }: BedrockRules): (id: string) => string {
  const renamed = new Map<string, string>();
  return (id) => {
    if (accepted.test(id) || (ownCallIds && ownForm.test(id))) return id;
    const known = renamed.get(id);
    if (known !== undefined) return known;
    const name = `switchyard_call_${renamed.size}`;
    renamed.set(id, name);
    return name;
  };
}
