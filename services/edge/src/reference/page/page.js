/* global SwaggerUIBundle */
const dark = matchMedia('(prefers-color-scheme: dark)');
const applyColourScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
applyColourScheme();
dark.addEventListener('change', applyColourScheme);

SwaggerUIBundle({
  url: '/openapi.json',
  domNode: document.getElementById('reference'),
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  persistAuthorization: false,
  // The badge would send the document to another host for validation.
  validatorUrl: null,
});

// Swagger UI does not name its lists of media types and servers.
const nameLists = () => {
  for (const list of document.querySelectorAll('select:not([aria-label], [id])')) {
    const isMediaType = list.matches('.content-type, .body-param-content-type select, .response-controls select');
    list.setAttribute('aria-label', isMediaType ? 'Media type' : 'Choice');
  }
};
new MutationObserver(nameLists).observe(document.getElementById('reference'), { childList: true, subtree: true });
