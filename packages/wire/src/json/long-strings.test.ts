import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LongStrings, mergedLongStrings, noLongStrings } from './long-strings.ts';
import { parseKeepingLongStrings } from './parse.ts';
import { byteLengthWithLongStrings, stringifyWithLongStrings } from './stringify.ts';

const nonce = '5f1c';
const mark = '~5f1c:';

const keep = (json: string | Buffer, threshold = 4) =>
  parseKeepingLongStrings([Buffer.from(json)], { threshold, nonce: () => nonce });
const joined = (value: unknown, strings: LongStrings) =>
  Buffer.concat(stringifyWithLongStrings({ value }, strings)).toString();
const kept = (json: string | Buffer, threshold = 4) =>
  keep(json, threshold)
    .strings.byPlaceholder.values()
    .map((slices) => slices.join(''))
    .toArray();

describe('strings kept as bytes', () => {
  test('are those longer than the threshold, as slices of the input', () => {
    const pieces = ['{"a":"1234","b":"12', '3', '45"}'].map((piece) => Buffer.from(piece));
    const { value, strings } = parseKeepingLongStrings(pieces, { threshold: 4, nonce: () => nonce });
    expect(value).toEqual({ a: '1234', b: '~5f1c:0~' });
    const slices = ['12', '3', '45'].map((slice) => Buffer.from(slice));
    expect(strings).toEqual({ mark, byPlaceholder: new Map([['~5f1c:0~', slices]]) });
    expect(strings.byPlaceholder.get('~5f1c:0~')?.[1]).toEqual(pieces[1]);
  });

  test.each<[string, string, string[]]>([
    ['several', '["first","second"]', ['first', 'second']],
    ['one alone', '"alone"', ['alone']],
    ['with every printable sign but two', '["] [}{:,~\u007f!#"]', ['] [}{:,~\u007f!#']],
    ['after a string that ends in an escaped backslash', String.raw`["a\\","second"]`, ['second']],
    ['after a string with an escaped quote', String.raw`["a\"b","second"]`, ['second']],
    ['with what looks like the end of a placeholder', '["~~~~~0~"]', ['~~~~~0~']],
    ['no names of members', '{"a name" : 1, "another name":"value"}', ['value']],
    ['nothing with an escape', String.raw`["line\nline", "\"quoted\""]`, []],
    ['nothing beyond ASCII', '["höher als"]', []],
    ['no numbers, however long', '[1234567890, 1234567890]', []],
    ['nothing that is short', '["1234","5678"]', []],
  ])('%s', (_name, json, expected) => {
    expect(kept(json)).toEqual(expected);
  });

  test('do not include invalid UTF-8', () => {
    const json = Buffer.concat([Buffer.from('["12345'), Buffer.from([0xff]), Buffer.from('"]')]);
    expect(keep(json)).toEqual({ value: ['12345\u{fffd}'], strings: noLongStrings });
  });

  test('are found after a hundred thousand short ones', () => {
    expect(kept(`[${'"",'.repeat(100_000)}"12345"]`)).toEqual(['12345']);
  });

  test('may span pieces, wherever they are cut', () => {
    const json = Buffer.from(
      JSON.stringify(['x'.repeat(200), `${'x'.repeat(100)}\\"`, 'y'.repeat(70), '\\'.repeat(70)]),
    );
    for (let cut = 0; cut <= json.length; cut++) {
      const pieces = [json.subarray(0, cut), json.subarray(cut)];
      const { strings } = parseKeepingLongStrings(pieces, { threshold: 4, nonce: () => nonce });
      expect([...strings.byPlaceholder.values()].map((slices) => Buffer.concat(slices).length)).toEqual([200, 70]);
    }
  });
});

describe('a control character is found', () => {
  const places = Array.from({ length: 23 }, (_, at) => at);
  test.each(places)('at %i', (at) => {
    for (let offset = 0; offset < 4; offset++) {
      const json = Buffer.concat([Buffer.from(' '.repeat(offset)), Buffer.from(`"${'x'.repeat(23)}"`)]);
      for (const byte of [0x00, 0x0a, 0x1f]) {
        const broken = Buffer.from(json);
        broken[offset + 1 + at] = byte;
        expect(() => keep(broken)).toThrow(SyntaxError);
      }
      const fine = Buffer.from(json);
      fine[offset + 1 + at] = 0x20;
      expect(kept(fine)).toHaveLength(1);
    }
  });
});

describe('placeholders', () => {
  test('are replaced wherever they occur in the value', () => {
    const { value, strings } = keep('["image","other"]');
    const [image, other] = value as [string, string];
    const changed = { url: `data:image/png;base64,${image}`, [other]: [image, 'text'] };
    expect(joined(changed, strings)).toBe('{"value":{"url":"data:image/png;base64,image","other":["image","text"]}}');
  });

  test('cannot be forged', () => {
    const foreign = ['~0~', '~5f1d:0~', '~:0~', '5f1c:0~'];
    const { value, strings } = keep(JSON.stringify(['image', ...foreign]), 4);
    expect(joined(value, strings)).toBe(JSON.stringify({ value: ['image', ...foreign] }));
  });

  test('without a string stay text', () => {
    const { strings } = keep('["image"]');
    const odd = [`${mark}1~`, `${mark}~`, `${mark}x~`, mark, `${mark}0`];
    expect(joined(odd, strings)).toBe(JSON.stringify({ value: odd }));
  });

  test('of several documents are replaced in one', () => {
    const documents = ['["one","two"]', '["s"]', '["three","f"]'].map((json, index) =>
      parseKeepingLongStrings([Buffer.from(json)], { threshold: 2, nonce: () => `n${index}` }),
    );
    const values = documents.map(({ value }) => value as string[]);
    const strings = documents.map((document) => document.strings);
    expect(joined([values, '~ ~~', `~${values[0]?.join('')}~`, '~n1:0~'], mergedLongStrings(strings))).toBe(
      '{"value":[[["one","two"],["s"],["three","f"]],"~ ~~","~onetwo~","~n1:0~"]}',
    );
    expect(mergedLongStrings(strings.slice(1))).toBe(strings[2]);
    expect(mergedLongStrings([]).byPlaceholder.size).toBe(0);
  });

  test('count with the bytes of their string', () => {
    const { value, strings } = keep('["image"]');
    expect(byteLengthWithLongStrings(`é ${String((value as string[])[0])}!`, strings)).toBe(2 + 1 + 5 + 1);
    expect(byteLengthWithLongStrings('', strings)).toBe(0);
  });
});

describe('laws', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('"', '\\', '~', ':', '0', ' ', '\n', 'é', 'x') }),
    fc.constantFrom(`${mark.slice(0, -1)}`, '~5f1d:0~', '__proto__'),
  );
  const value = fc.jsonValue({ stringUnit: 'binary', depthSize: 'medium' });
  const { document } = fc.letrec<{ document: unknown }>((tie) => ({
    document: fc.oneof(
      { depthSize: 'small' },
      text,
      value,
      fc.array(tie('document'), { maxLength: 5 }),
      fc.dictionary(text, tie('document'), { maxKeys: 5 }),
    ),
  }));
  const threshold = fc.nat(12);
  const indent = fc.constantFrom(undefined, 1, '\t');
  const cuts = fc.array(fc.nat(), { maxLength: 6 });

  test('kept strings are restored byte for byte', () => {
    fc.assert(
      fc.property(document, threshold, fc.tuple(indent, cuts), (given, limit, [spaces, at]) => {
        const pieces = cutAt(Buffer.from(JSON.stringify(given, null, spaces)), at);
        const { value: parsed, strings } = parseKeepingLongStrings(pieces, { threshold: limit, nonce: () => nonce });
        expect(joined(parsed, strings)).toBe(JSON.stringify({ value: JSON.parse(JSON.stringify(given)) }));
      }),
      { numRuns: 1_000 },
    );
  });

  test('no string of the value is longer than the threshold, except with escapes or as names', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), threshold, (strings, limit) => {
        const long = strings.filter((each) => each.length > limit && /^[ !#-[\]-\x7f]*$/.test(each));
        expect(kept(JSON.stringify(strings), limit)).toEqual(long);
      }),
    );
  });

  test('input is accepted and refused like by JSON.parse', () => {
    const piece = fc.constantFrom(...'{}[],:"\\ \n0aé', '"abcdef"', '\\"', '\\\\', '"k":', '\\u00e9', 'null', '"a\tb"');
    const bytes = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => Buffer.from(pieces.join(''))),
      fc.array(piece, { maxLength: 6 }).map((pieces) => Buffer.from(`["${pieces.join('')}"]`)),
      fc.uint8Array({ maxLength: 8 }).map((raw) => Buffer.concat([Buffer.from('"'), raw, Buffer.from('"')])),
    );
    fc.assert(
      fc.property(bytes, threshold, cuts, (json, limit, at) => {
        expect(outcome(() => comeBack(cutAt(json, at), limit))).toEqual(outcome(() => JSON.parse(json.toString())));
      }),
      { numRuns: 3_000 },
    );
  });

  function cutAt(json: Buffer, at: readonly number[]): Buffer[] {
    const places = [0, ...at.map((place) => place % (json.length + 1)).toSorted((a, b) => a - b), json.length];
    return places.slice(1).map((end, index) => json.subarray(places[index], end));
  }

  function comeBack(pieces: readonly Buffer[], limit: number): unknown {
    const { value: parsed, strings } = parseKeepingLongStrings(pieces, { threshold: limit, nonce: () => nonce });
    return JSON.parse(joined(parsed, strings)).value;
  }

  function outcome(run: () => unknown): unknown {
    try {
      return { value: run() };
    } catch (error) {
      return error instanceof SyntaxError ? 'refused' : error;
    }
  }
});
