import type { ApiError, JsonObject } from '@tallyport/sandbox';

export const order = (message: string): ApiError => ({
  status: 400,
  message,
  type: 'invalid_request_message_order',
  param: null,
  code: '3230',
});

/** The roles that may follow a role, as in the validator of the vendor's own tokenizer. */
const following: Readonly<Record<string, readonly unknown[]>> = {
  system: ['user', 'assistant', 'system'],
  user: ['assistant', 'system', 'user'],
  assistant: ['assistant', 'user', 'tool'],
  tool: ['assistant', 'tool'],
};

/** What every host of the vendor's models refuses. */
export function mistralOrder(messages: readonly JsonObject[]): ApiError | undefined {
  const index = messages.findIndex(({ role }, at) => {
    const before = messages[at - 1];
    return before !== undefined && following[String(before.role)]?.includes(role) === false;
  });
  if (index === -1) return undefined;
  return order(`Unexpected role '${String(messages[index]?.role)}' after role '${String(messages[index - 1]?.role)}'`);
}

const mistrals = /mistral|ministral|devstral|magistral|mixtral|pixtral/i;

/** The same at a host of many models. */
export const orderOfMistrals = (model: unknown, messages: readonly JsonObject[]): ApiError | undefined =>
  mistrals.test(String(model)) ? mistralOrder(messages) : undefined;
