import type { Theme } from '@tallyport/pages';

const cookie = 'tallyport-theme';
const yearSeconds = 31_536_000;
const themes: readonly Theme[] = ['light', 'dark'];

const asTheme = (text: string | undefined): Theme | undefined => themes.find((theme) => theme === text);

/** The `Set-Cookie` header that keeps the choice in this browser; anything but a theme removes it. */
export function themeCookie(chosen: string | undefined): string {
  const theme = asTheme(chosen);
  const age = theme === undefined ? 0 : yearSeconds;
  return `${cookie}=${theme ?? ''}; Path=/dashboard; HttpOnly; SameSite=Lax; Max-Age=${age}`;
}

/** The choice in a `Cookie` header; `undefined` for that of the system. */
export const themeOf = (header: string | undefined): Theme | undefined =>
  asTheme(new RegExp(`(?:^|; *)${cookie}=(\\w+)`).exec(header ?? '')?.[1]);
