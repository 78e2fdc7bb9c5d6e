import { objectIn, type PlainObject } from '../plain-object.ts';

/**
 * The input of a call. Text that is no JSON object, because the model was cut off or made a mistake, is kept as it is in
 * the member that Anthropic recommends for it: agents refuse it and show it to the model, and no other call is made of it.
 */
export const calledInput = (json: string): PlainObject => objectIn(json) ?? { INVALID_JSON: json };
