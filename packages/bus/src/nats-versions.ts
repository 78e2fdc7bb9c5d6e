/** What to do about the version of a NATS server; `undefined` if it stores what it confirms. */
export function versionAdvice(version: string, replicas: number): string | undefined {
  if (isBefore(version, '2.9.10')) return `NATS ${version} is older than 2.9.10, which this gateway needs. Update it.`;
  // 2.12 began to write replicated streams after the confirmation, 2.14 to notice that this failed.
  if (replicas < 2 || isBefore(version, '2.12.0') || !isBefore(version, '2.14.0')) return undefined;
  return `NATS ${version} confirms entries of a replicated journal that a full disk then loses. Use 2.11, or 2.14 and later.`;
}

const isBefore = (version: string, other: string): boolean => {
  const [own, others] = [version, other].map((text) => text.split(/[.-]/).slice(0, 3).map(Number));
  const index = own!.findIndex((part, position) => part !== others![position]);
  return index !== -1 && own![index]! < others![index]!;
};
