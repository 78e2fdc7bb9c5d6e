import type { ExchangeHandler } from '@tallyport/bus';
import { GatewayError } from '@tallyport/contracts';
import type { CallerOf } from './caller.ts';
import { answerConditionally } from './conditional.ts';
import type { FormOf } from './list/model-form.ts';
import type { ModelLists } from './list/model-list.ts';

/** One model in the form of an API: by id, alias or prefixed id, also for a withdrawn model. Otherwise 404 with similar names. */
export function getModel(
  lists: () => ModelLists,
  { callerOf, formOf }: { callerOf: CallerOf; formOf: FormOf },
): ExchangeHandler {
  return async ({ head, body }) => {
    body.cancel();
    if (head.path === undefined) throw new GatewayError('not_found', 'The address must end in the id of a model.');
    return answerConditionally(
      lists().one({ name: head.path, form: formOf(head) }, await callerOf(head.principal)),
      head,
    );
  };
}
