import type { AwsCredentials } from '../bedrock/signature.ts';

/** What every family is told. */
export interface FamilySettings {
  readonly seed: number;
  /** 0: as fast as the socket takes it. */
  readonly chunksPerSecond: number;
  /** Empty: any key will do. */
  readonly apiKeys: readonly string[];
  /** With them, signatures are checked to the last bit; without, only their form is. */
  readonly awsCredentials?: AwsCredentials | undefined;
  /** Unix seconds. */
  readonly now: () => number;
}
