import type { SentForm } from '@tallyport/contracts';
import type { Request, Response } from 'express';
import { unmaskToken } from './csrf-mask.ts';

/** Returns a text field of the posted form, or the empty string. */
export function fieldOf(request: Request, name: string): string {
  const body: unknown = request.body;
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
  return typeof value === 'string' ? value : '';
}

/** Where a posted form comes from, and its tokens. */
export const sentFormOf = (request: Request): SentForm => ({
  origin: request.get('origin'),
  secFetchSite: request.get('sec-fetch-site'),
  csrfToken: unmaskToken(fieldOf(request, 'csrf_token')),
  once: fieldOf(request, 'once') || undefined,
});

/** 303: the browser follows with a GET. */
export function sendRedirect(response: Response, location: string): void {
  response.set('cache-control', 'no-store');
  response.redirect(303, location);
}

/** The page that asks to sign in and continues with `next`, a path of this site. */
export const signInAddress = (next: string): string => `/sign-in?${new URLSearchParams({ next }).toString()}`;
