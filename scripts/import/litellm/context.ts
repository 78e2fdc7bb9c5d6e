import type { Draft } from '../draft.ts';
import type { SecretNames } from '../secret-names.ts';

/** What reading a deployment needs and changes. */
export interface DeploymentContext {
  draft: Draft;
  secrets: SecretNames;
  /** Credentials by name, which deployments refer to. */
  credentials: ReadonlyMap<string, object>;
  environment: Readonly<Record<string, string | undefined>>;
}
