/** Fifty messages a second, each of 20 ms of audio. */
export const everyMs = 20;

const audio = Buffer.alloc(960, 1).toString('base64');
const sentMember = '"event_id":"';

/** Of the system's clock, so that processes can compare it. */
const now = (): number => performance.timeOrigin + performance.now();

export const stampedFrame = (type: string, member: string): string =>
  `{"type":"${type}",${sentMember}${now()}","${member}":"${audio}"}`;

/** How many milliseconds ago a message was sent; `undefined` for one without a time. */
export function ageOf(frame: Buffer): number | undefined {
  const start = frame.toString('latin1', 0, 128);
  const at = start.indexOf(sentMember);
  const sentAt = at < 0 ? Number.NaN : Number.parseFloat(start.slice(at + sentMember.length));
  return Number.isNaN(sentAt) ? undefined : now() - sentAt;
}
