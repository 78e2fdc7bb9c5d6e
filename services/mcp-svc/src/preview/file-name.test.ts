import { describe, expect, test } from 'vitest';
import { candidateNames, checkFileName, defaultFileName } from './file-name.ts';

const firstNames = (name: string, mimeType = 'image/png') => [...candidateNames(name, mimeType).take(3)];

describe('file names', () => {
  test.each(['cat.png', 'Katze über Wiese.png', '猫.png', 'a', 'cat.tar.gz', `${'x'.repeat(251)}.png`, 'con sole.png'])(
    'accepts %s',
    (name) => {
      expect(() => checkFileName(name)).not.toThrow();
    },
  );

  test.each([
    ['', 'it is empty'],
    ['  ', 'it is empty'],
    ['../cat.png', 'it contains a path separator'],
    ['a/b.png', 'it contains a path separator'],
    ['..\\cat.png', 'it contains a path separator'],
    ['/etc/passwd', 'it contains a path separator'],
    ['cat\0.png', 'it contains a character that is not allowed in file names'],
    ['cat\n.png', 'it contains a character that is not allowed in file names'],
    ['C:cat.png', 'it contains a character that is not allowed in file names'],
    ['cat.png:stream', 'it contains a character that is not allowed in file names'],
    ['cat\u202egnp.exe', 'it contains a text direction mark'],
    ['\u2066cat.png', 'it contains a text direction mark'],
    ['cat\u200f.png', 'it contains a text direction mark'],
    ['cat\u0085.png', 'it contains a character that is not allowed in file names'],
    ['cat\u2028.png', 'it contains a character that is not allowed in file names'],
    ['cat\ufeff.png', 'it contains a character that is not allowed in file names'],
    ['cat\u206a.png', 'it contains a text direction mark'],
    ['nul .png', 'it is a device name'],
    ['..', 'it begins with a dot'],
    ['.bashrc', 'it begins with a dot'],
    ['cat.png.', 'it ends with a dot or a space'],
    ['cat.png ', 'it ends with a dot or a space'],
    ['CON', 'it is a device name'],
    ['nul.png', 'it is a device name'],
    ['Lpt9.tar.png', 'it is a device name'],
    ['cat\ud800.png', 'it is not well-formed text'],
    [`${'x'.repeat(252)}.png`, 'it is longer than 255 bytes'],
    ['ü'.repeat(128), 'it is longer than 255 bytes'],
  ])('refuses %j: %s', (name, reason) => {
    expect(() => checkFileName(name)).toThrow(`Invalid filename: ${reason}. Use a plain name such as cat.png.`);
  });

  test('the default name contains the time', () => {
    const name = defaultFileName(new Date('2026-01-02T03:04:05.678Z'));
    expect(name).toBe('preview-image-2026-01-02T03-04-05-678Z.png');
    expect(() => checkFileName(name)).not.toThrow();
  });

  test('adds a number before the extension of a used name', () => {
    expect(firstNames('cat.png')).toEqual(['cat.png', 'cat-1.png', 'cat-2.png']);
    expect(firstNames('cat.JPEG', 'image/jpeg')).toEqual(['cat.JPEG', 'cat-1.JPEG', 'cat-2.JPEG']);
  });

  test('appends the extension of the image type if the name has none', () => {
    expect(firstNames('cat', 'image/jpeg')[0]).toBe('cat.jpg');
    expect(firstNames('cat.html', 'image/webp')[0]).toBe('cat.html.webp');
    expect(firstNames('cat.tar.gz')[0]).toBe('cat.tar.gz.png');
  });

  test('replaces the extension of another image type', () => {
    expect(firstNames('cat.jpg')).toEqual(['cat.png', 'cat-1.png', 'cat-2.png']);
    expect(firstNames('cat.png', 'image/jpeg')[0]).toBe('cat.jpg');
    expect(firstNames('cat.jpg', 'image/jpeg')[0]).toBe('cat.jpg');
    expect(firstNames('cat.webp', 'image/avif')[0]).toBe('cat.avif');
  });

  test('keeps names within 255 bytes after adding a number or extension', () => {
    for (const name of ['ü'.repeat(127), `${'x'.repeat(251)}.png`]) {
      const lengths = firstNames(name).map((candidate) => Buffer.byteLength(candidate));
      expect(Math.max(...lengths)).toBeLessThanOrEqual(255);
    }
  });
});
