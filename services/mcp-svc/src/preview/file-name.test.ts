import { describe, expect, test } from 'vitest';
import { candidateNames, checkFileName, defaultFileName } from './file-name.ts';

const firstNames = (name: string, mimeType = 'image/png') => [...candidateNames(name, mimeType).take(3)];

describe('names of files', () => {
  test.each(['cat.png', 'Katze über Wiese.png', '猫.png', 'a', 'cat.tar.gz', `${'x'.repeat(251)}.png`, 'con sole.png'])(
    '%s is taken',
    (name) => {
      expect(() => checkFileName(name)).not.toThrow();
    },
  );

  test.each([
    ['', 'it is empty'],
    ['  ', 'it is empty'],
    ['../cat.png', 'it has a path separator'],
    ['a/b.png', 'it has a path separator'],
    ['..\\cat.png', 'it has a path separator'],
    ['/etc/passwd', 'it has a path separator'],
    ['cat\0.png', 'it has a character that file names cannot have'],
    ['cat\n.png', 'it has a character that file names cannot have'],
    ['C:cat.png', 'it has a character that file names cannot have'],
    ['cat.png:stream', 'it has a character that file names cannot have'],
    ['..', 'it begins with a dot'],
    ['.bashrc', 'it begins with a dot'],
    ['cat.png.', 'it ends with a dot or a space'],
    ['cat.png ', 'it ends with a dot or a space'],
    ['CON', 'it is the name of a device'],
    ['nul.png', 'it is the name of a device'],
    ['Lpt9.tar.png', 'it is the name of a device'],
    ['cat\ud800.png', 'it is not well-formed text'],
    [`${'x'.repeat(252)}.png`, 'it is longer than 255 bytes'],
    ['ü'.repeat(128), 'it is longer than 255 bytes'],
  ])('%j is refused: %s', (name, why) => {
    expect(() => checkFileName(name)).toThrow(`Invalid filename: ${why}. Give a plain name such as cat.png.`);
  });

  test('the default says when', () => {
    const name = defaultFileName(new Date('2026-01-02T03:04:05.678Z'));
    expect(name).toBe('preview-image-2026-01-02T03-04-05-678Z.png');
    expect(() => checkFileName(name)).not.toThrow();
  });

  test('a taken name gets a number before its extension', () => {
    expect(firstNames('cat.png')).toEqual(['cat.png', 'cat-1.png', 'cat-2.png']);
    expect(firstNames('cat.JPEG')).toEqual(['cat.JPEG', 'cat-1.JPEG', 'cat-2.JPEG']);
  });

  test('a name that is not an image’s gets an extension that fits the bytes', () => {
    expect(firstNames('cat', 'image/jpeg')[0]).toBe('cat.jpg');
    expect(firstNames('cat.html', 'image/webp')[0]).toBe('cat.html.webp');
    expect(firstNames('cat.tar.gz')[0]).toBe('cat.tar.gz.png');
  });

  test('no name becomes too long by its number or extension', () => {
    for (const name of ['ü'.repeat(127), `${'x'.repeat(251)}.png`]) {
      const lengths = firstNames(name).map((candidate) => Buffer.byteLength(candidate));
      expect(Math.max(...lengths)).toBeLessThanOrEqual(255);
    }
  });
});
