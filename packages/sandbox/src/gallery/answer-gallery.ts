import { fileOf, originOf, type PageResult, controlPageHeaders } from '../page/answer-page.ts';
import { galleryOf, noGateway } from './gallery.ts';

/** The page may connect only to this gateway, so a key entered there cannot be sent anywhere else. */
export function showGallery(gatewayUrl: string | undefined): PageResult {
  const gateway = originOf(gatewayUrl);
  if (gateway === undefined)
    return { status: 404, headers: controlPageHeaders(["connect-src 'none'"]), text: noGateway };
  const headers = controlPageHeaders([`connect-src ${gateway}`]);
  return { status: 200, headers, text: galleryOf(gateway) };
}

export const galleryFiles = {
  'GET /control/gallery.css': () => fileOf(new URL('gallery.css', import.meta.url)),
  'GET /control/gallery.js': () => fileOf(new URL('gallery.js', import.meta.url)),
  'GET /control/gallery/calls.js': () => fileOf(new URL('calls.js', import.meta.url)),
};
