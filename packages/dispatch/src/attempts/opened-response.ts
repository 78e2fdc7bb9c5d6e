import type { BodyReader, UpstreamCall, UpstreamHead } from '@tallyport/outbound';

export interface OpenedResponse {
  call: Pick<UpstreamCall, 'abort' | 'discardRest'>;
  head: UpstreamHead;
  body: BodyReader;
}
