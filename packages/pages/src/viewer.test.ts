import { describe, expect, it } from 'vitest';
import { html, render } from './html.ts';
import { day, moment } from './parts.ts';
import { viewerIn } from './viewer.ts';

describe('times in the time zone of the viewer', () => {
  it.each([
    ['UTC', '2026-11-23T23:30:00.000Z', '2026-11-23', '2026-11-23 23:30 UTC'],
    ['Europe/Berlin', '2026-11-23T23:30:00.000Z', '2026-11-24', '2026-11-24 00:30 UTC+1'],
    ['Europe/Berlin', '2026-07-01T22:30:00.000Z', '2026-07-02', '2026-07-02 00:30 UTC+2'],
    ['America/New_York', '2026-11-24T02:05:00.000Z', '2026-11-23', '2026-11-23 21:05 UTC-5'],
    ['Asia/Kolkata', '2026-11-23T00:00:00.000Z', '2026-11-23', '2026-11-23 05:30 UTC+5:30'],
  ])('shows %s at %s as %s, %s', (timeZone, iso, date, minute) => {
    const viewer = viewerIn(timeZone);
    expect([viewer.day(iso), viewer.minute(iso).replace('\u2212', '-')]).toEqual([date, minute]);
  });

  it('refuses a zone that does not exist', () => {
    expect(() => viewerIn('Mars/Olympus')).toThrow(RangeError);
  });

  it('is chosen when the page is rendered, however deep the time is in it', () => {
    const page = html`<p>${[html`${day('2026-11-23T23:30:00.000Z')}`, moment('2026-11-23T23:30:00.000Z')]}</p>`;
    expect(render(page)).toBe(
      '<p><time datetime="2026-11-23T23:30:00.000Z" title="2026-11-23 23:30 UTC">2026-11-23</time><time datetime="2026-11-23T23:30:00.000Z">2026-11-23 23:30 UTC</time></p>',
    );
    expect(render(page, viewerIn('Europe/Berlin'))).toBe(
      '<p><time datetime="2026-11-23T23:30:00.000Z" title="2026-11-24 00:30 UTC+1">2026-11-24</time><time datetime="2026-11-23T23:30:00.000Z">2026-11-24 00:30 UTC+1</time></p>',
    );
  });
});
