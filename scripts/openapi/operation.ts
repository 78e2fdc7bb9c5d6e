import type { ErrorCode } from '@tallyport/contracts';
import type { DescribedAnswer, DescribedBody, Parameter } from '@tallyport/endpoints';

/** One operation of the API as the document describes it. */
export interface DescribedOperation {
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** `oauth`: clients authenticate with their own credentials. */
  access: 'open' | 'optional' | 'key' | 'management' | 'oauth';
  parameters?: readonly Parameter[];
  body?: Readonly<Record<string, DescribedBody>>;
  answers: Readonly<Record<string, DescribedAnswer>>;
  failures: readonly ErrorCode[];
}
