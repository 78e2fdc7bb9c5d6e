import { prefixFallbacks } from '@tallyport/dispatch';
import type { Parameter, RequestHeader } from '@tallyport/endpoints';
import { z } from 'zod';

interface Header extends Parameter {
  readonly name: RequestHeader;
}

const header = (name: RequestHeader, description: string, schema: z.ZodType = z.string()): Header => ({
  name,
  in: 'header',
  description,
  schema: schema.optional(),
});

const flag = z.enum(['true', 'false']);

/** The headers that endpoints read, in the order of the document. */
export const requestHeaders: readonly Header[] = [
  header(
    'X-Fallback',
    'When another provider may answer a model with a prefix, such as `openai/gpt-6-luna`. `unhealthy`: only instead of an unhealthy offer; `any-failure`: also after a single failure. Default: the setting `ROUTING_PREFIX_FALLBACK`. `X-No-Fallback: true` wins over it.',
    z.enum(prefixFallbacks),
  ),
  header(
    'X-Fallback-Models',
    'The models that stand in for that of the request, preferred first, separated by commas; at most four. `models` in the body does the same.',
  ),
  header('X-No-Fallback', '`true`: use only the provider named in the model, even if it is unhealthy.', flag),
  header(
    'X-Provider-Preferences',
    'JSON: what the offer that serves the request must be like. `provider` in the body does the same.',
  ),
  header('X-No-Cache', '`true`: neither read nor write the cache. `Cache-Control: no-cache` does the same.', flag),
  header(
    'X-End-User',
    'Your name for the end user of this request, for usage and budgets. It counts before `safety_identifier` and `user` of the body, and is not sent to providers.',
  ),
  header(
    'Idempotency-Key',
    'Your id for this request, 1 to 255 visible characters. The same request sent again within a day gets the first answer and is not billed twice. With another body the answer is 409 `idempotency_conflict`.',
  ),
  header(
    'Last-Event-ID',
    'With Idempotency-Key and `stream`: the last event you received. The stream continues after it.',
  ),
  header('If-None-Match', 'The ETag of an earlier answer.'),
];
