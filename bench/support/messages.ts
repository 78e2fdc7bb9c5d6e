/**
 * Recognises a message between the benchmark and its children by its `kind`. Both ends are ours, so nothing else is
 * checked.
 */
export function messageOf<Kind extends string, Message extends { kind: Kind }>(
  kind: Kind,
): (message: unknown) => Message | undefined {
  return (message) => (isKind<Kind, Message>(message, kind) ? message : undefined);
}

function isKind<Kind extends string, Message extends { kind: Kind }>(message: unknown, kind: Kind): message is Message {
  return typeof message === 'object' && message !== null && 'kind' in message && message.kind === kind;
}

export function sendToParent<Message extends { kind: string }>(message: Message): void {
  process.send?.(message);
}
