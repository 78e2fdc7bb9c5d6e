const ends = ['\n', '\r'].map((end) => end.charCodeAt(0));
const space = ' '.charCodeAt(0);

/** JSON on one line. Line ends are outside of its texts, where they are space. It changes the bytes themselves. */
export function withoutLineEnds(json: Buffer): Buffer {
  for (const end of ends) for (let at = json.indexOf(end); at >= 0; at = json.indexOf(end, at)) json[at] = space;
  return json;
}
