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
