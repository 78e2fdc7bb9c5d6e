import type { ApiKey } from '@tallyport/contracts';
import type { SecretTexts } from './resolve-secrets.ts';

export interface PlanOptions {
  secrets: SecretTexts;
  /** Keys that are never deleted, for example the one that makes the calls. */
  isProtected: (key: ApiKey) => boolean;
}
