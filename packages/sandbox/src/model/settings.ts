/** The settings of every family. */
export interface FamilySettings {
  readonly seed: number;
  /** 0: as fast as the socket takes it. */
  readonly chunksPerSecond: number;
  /** Empty: any key will do. */
  readonly apiKeys: readonly string[];
  /** Unix seconds. */
  readonly now: () => number;
}
