/** What happens to a request that costs money, in this order. docs/architecture.md shows the list. */
export const lifeSteps = [
  {
    name: 'guard the request',
    does: "rules, webhooks and decision models of the key, the project and the account inspect the request's texts",
    onFailure: 'rejected, with a record; nothing is reserved',
  },
  {
    name: 'replay',
    does: 'a repeated Idempotency-Key gets the response of the first request',
    onFailure: 'rejected with 409, or served once more without protection',
  },
  { name: 'read', does: 'the endpoint parses, checks and plans', onFailure: 'rejected; nothing is reserved' },
  {
    name: 'cache',
    does: 'a cached response, or one being generated for an identical request, is used',
    onFailure: 'the cache is skipped',
  },
  { name: 'admit', does: 'memory for the response is reserved', onFailure: 'rejected with 503; nothing is reserved' },
  {
    name: 'reserve',
    does: 'tokens of the limits, then money of the budgets of key, project and account, by an estimate',
    onFailure: 'rejected with 429 or 402; nothing stays reserved',
  },
  {
    name: 'attempt',
    does: 'the endpoint calls dispatch, which tries candidates until one commits',
    onFailure: 'settled for what was delivered, possibly nothing',
  },
  {
    name: 'guard the response',
    does: "rules, webhooks and decision models inspect the response's texts, before any of them is sent",
    onFailure: 'an error instead of the rest; what was delivered is paid for',
  },
  {
    name: 'settle',
    does: 'once the outcome is known: tokens and budgets by usage, one record into the journal',
    onFailure: 'the record waits in a file until the journal is back',
  },
  {
    name: 'keep',
    does: 'texts are gathered for the content log, and the response for the cache and those who wait for it',
    onFailure: 'the response is sent and not kept',
  },
  {
    name: 'form',
    does: "the request's API makes bytes of the response, which was objects until here",
    onFailure: 'an error, or an error event after the first byte',
  },
  {
    name: 'hold',
    does: 'a large whole response counts towards the memory for responses until it has been sent',
    onFailure: 'nothing is held',
  },
  {
    name: 'send',
    does: 'whole, in slices with its length; or as an event stream whose end waits for the record',
    onFailure: 'an error, or an error event after the first byte',
  },
] as const;
