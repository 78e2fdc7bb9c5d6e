const slots = 16_384;

/** The slot of a cluster that has a key: CRC16 of the key, or of the first part in braces that is not empty. */
export function slotOf(key: string): number {
  const opens = key.indexOf('{');
  const closes = opens < 0 ? -1 : key.indexOf('}', opens + 1);
  return crc16(closes > opens + 1 ? key.slice(opens + 1, closes) : key) % slots;
}

function crc16(text: string): number {
  let crc = 0;
  for (const byte of Buffer.from(text)) crc = ((crc << 8) ^ (table[((crc >> 8) ^ byte) & 0xff] ?? 0)) & 0xffff;
  return crc;
}

/** XMODEM: polynomial 0x1021. */
const table = Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc & 0xffff;
});
