/** What a vendor reports may be of any type. */
export type ReportedMembers = Readonly<Record<string, unknown>>;

export const reportedMembers = (value: unknown): ReportedMembers =>
  typeof value === 'object' && value !== null ? { ...value } : {};

export const reportedCount = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : 0;
