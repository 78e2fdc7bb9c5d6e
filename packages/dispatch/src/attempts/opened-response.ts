import type { BodyReader, UpstreamCall, UpstreamHead } from '@tallyport/outbound';

export interface OpenedResponse {
  call: UpstreamCall;
  head: UpstreamHead;
  body: BodyReader;
}
