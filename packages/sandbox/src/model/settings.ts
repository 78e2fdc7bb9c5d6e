/** The settings of every family. */
export interface FamilySettings {
  readonly seed: number;
  /** 0: as fast as the socket accepts. */
  readonly chunksPerSecond: number;
  /** Empty: any key is accepted. */
  readonly apiKeys: readonly string[];
  /** Unix seconds. */
  readonly now: () => number;
}
