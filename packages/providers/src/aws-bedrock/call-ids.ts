import type { BedrockRules } from './models.ts';

const accepted = /^[\w-]{1,64}$/;
const ownForm = /^functions\.[\w-]+:\d+$/;

/**
 * Call ids in the form the vendor accepts. The model's own ids are sent back unchanged. An id of another vendor is
 * replaced by a name that is the same throughout the request and in later requests of the same conversation.
 */
export function createCallIds({ ownCallIds }: BedrockRules): (id: string) => string {
  const renamed = new Map<string, string>();
  return (id) => {
    if (accepted.test(id) || (ownCallIds && ownForm.test(id))) return id;
    const known = renamed.get(id);
    if (known !== undefined) return known;
    const name = `tallyport_call_${renamed.size}`;
    renamed.set(id, name);
    return name;
  };
}
