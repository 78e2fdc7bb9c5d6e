import { acceptedCallId } from '../accepted-call-id.ts';
import type { BedrockRules } from './models.ts';

const accepted = /^[\w-]{1,64}$/;
/** A model's own ids may break the API's pattern; it accepts them all the same. */
const acceptedOrOwn = /^(?:[\w-]{1,64}|functions\.[\w-]+:\d+)$/;

/** Call ids in the form the vendor accepts. */
export const bedrockCallId =
  ({ ownCallIds }: BedrockRules): ((id: string) => string) =>
  (id) =>
    acceptedCallId(id, ownCallIds ? acceptedOrOwn : accepted);
